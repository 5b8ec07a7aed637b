/** A page that lists what a server serves, and calls it from the browser. */
package dev.peregrine.explorer;
