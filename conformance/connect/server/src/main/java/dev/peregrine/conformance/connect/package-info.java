/** The server that connectconformance starts and judges. */
package dev.peregrine.conformance.connect;
