/** The services that clients and tests call to see how a server behaves. Not deployed. */
package dev.peregrine.conformance;
