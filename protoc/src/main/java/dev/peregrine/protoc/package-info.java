/** Internal. The protoc plugin: reads descriptors, prints one Java interface per service. */
package dev.peregrine.protoc;
