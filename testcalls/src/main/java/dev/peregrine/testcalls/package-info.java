/** A service and its client, for tests of modules that observe calls; not deployed. */
package dev.peregrine.testcalls;
