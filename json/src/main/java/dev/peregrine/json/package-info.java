/** JSON for every protobuf method: put this module on the path. */
package dev.peregrine.json;
