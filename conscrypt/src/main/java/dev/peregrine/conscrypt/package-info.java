/** TLS by Conscrypt: nothing to call, it takes effect by being on the path. */
package dev.peregrine.conscrypt;
