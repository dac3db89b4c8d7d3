/** The target of a connection other than HTTP. The guard checks every address of `host`, as for HTTP. */
export type StreamTarget = {
  readonly host: string;
  readonly port: number;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
};

/** The facts of a TLS handshake. The certificate is foreign data: parse it with care. */
export type TlsHandshake = {
  readonly address: string;
  readonly protocol: string | null;
  readonly isTrusted: boolean;
  /** The error code of the certificate (CERT_HAS_EXPIRED …), or null. */
  readonly problem: string | null;
  readonly leaf: Buffer;
};

export type OutboundStreams = {
  /** Sends `text` and reads until the other end closes (WHOIS, RFC 3912), up to `bytesMax`. */
  readonly exchange: (
    target: StreamTarget & { readonly text: string; readonly bytesMax: number },
  ) => Promise<Buffer>;
  /** Completes the handshake, takes the certificate and closes; no request is sent. */
  readonly handshake: (
    target: StreamTarget & { readonly serverName?: string; readonly bytesMax: number },
  ) => Promise<TlsHandshake>;
  readonly close: () => Promise<void>;
};
