/** Plain HTTP and JSON for methods that carry a {@code google.api.http} annotation. */
package dev.peregrine.transcoding;
