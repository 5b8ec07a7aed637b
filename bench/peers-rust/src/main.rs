//! tonic with the benchmark's service on a current-thread runtime: `tonic-hello PORT`.

use std::net::{Ipv4Addr, SocketAddr};
use tonic::{transport::Server, Request, Response, Status};

mod v1 {
    include!(concat!(env!("OUT_DIR"), "/helloworld.v1.Greeter.rs"));
}
mod plain {
    include!(concat!(env!("OUT_DIR"), "/helloworld.Greeter.rs"));
}

/// Both services' request.
#[derive(Clone, PartialEq, prost::Message)]
pub struct HelloRequest {
    #[prost(string, tag = "1")]
    pub name: String,
}

/// Both services' reply: only the message types' names differ.
#[derive(Clone, PartialEq, prost::Message)]
pub struct HelloResponse {
    #[prost(string, tag = "1")]
    pub message: String,
}

struct Greeter;

#[tonic::async_trait]
impl v1::greeter_server::Greeter for Greeter {
    async fn hello(&self, request: Request<HelloRequest>) -> Result<Response<HelloResponse>, Status> {
        let message = format!("Hello `{}` 👋", request.into_inner().name);
        Ok(Response::new(HelloResponse { message }))
    }
}

#[tonic::async_trait]
impl plain::greeter_server::Greeter for Greeter {
    async fn say_hello(&self, request: Request<HelloRequest>) -> Result<Response<HelloResponse>, Status> {
        let message = format!("Hello {}!", request.into_inner().name);
        Ok(Response::new(HelloResponse { message }))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).map_or(Ok(7000), |p| p.parse())?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(
        Server::builder()
            .add_service(v1::greeter_server::GreeterServer::new(Greeter))
            .add_service(plain::greeter_server::GreeterServer::new(Greeter))
            .serve(address),
    )?;
    Ok(())
}
