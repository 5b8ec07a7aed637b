//! Prints the two Greeter services from a description in code, so that no protoc is needed.

use tonic_build::manual::{Builder, Method, Service};

fn service(package: &str, method: &str, route: &str, reply: &str) -> Service {
    Service::builder()
        .name("Greeter")
        .package(package)
        .method(
            Method::builder()
                .name(method)
                .route_name(route)
                .input_type("crate::HelloRequest")
                .output_type(reply)
                .codec_path("tonic_prost::ProstCodec")
                .build(),
        )
        .build()
}

fn main() {
    Builder::new().build_client(false).compile(&[
        service("helloworld.v1", "hello", "Hello", "crate::HelloResponse"),
        service("helloworld", "say_hello", "SayHello", "crate::HelloResponse"),
    ]);
}
