module peregrine/conformance/attacks

go 1.26.0
