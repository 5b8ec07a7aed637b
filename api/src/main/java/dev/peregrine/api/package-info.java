/** For tests: the public surface of a module as text. */
package dev.peregrine.api;
