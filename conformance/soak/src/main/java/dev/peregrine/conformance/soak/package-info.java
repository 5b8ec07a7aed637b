/** A server of every execution, and a client that stalls, cancels and checks very many calls. */
package dev.peregrine.conformance.soak;
