#!/usr/bin/env bash
# Makes the certificates of the tests anew, for a hundred years: a CA, servers and a client that it
# vouches for, and a server that another CA does. The keys protect nothing.
set -euo pipefail
cd "$(dirname "$0")"

ca() { # name
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 \
    -keyout "$1.key" -out "$1.pem" -subj "/CN=SyncGuard tests, $1" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
}

issue() { # ca, name, extensions
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
    -keyout "$2.key" -out "$2.csr" -subj "/CN=SyncGuard tests, $2"
  openssl x509 -req -in "$2.csr" -CA "$1.pem" -CAkey "$1.key" -CAcreateserial -days 36500 \
    -extfile <(echo "$3") -out "$2.pem"
  rm "$2.csr"
}

ca ca
ca other-ca
issue ca server "subjectAltName=DNS:localhost,IP:127.0.0.1"
issue ca elsewhere "subjectAltName=DNS:elsewhere.invalid"
issue other-ca stranger "subjectAltName=DNS:localhost,IP:127.0.0.1"
issue ca client "extendedKeyUsage=clientAuth"
rm ca.key other-ca.key ./*.srl
