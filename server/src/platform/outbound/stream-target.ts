/** Where a connection that is not HTTP goes. The guard judges every address of `host`, exactly as it does for HTTP. */
export type StreamTarget = {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
};

/** What the other end showed. The certificate is bytes that somebody else wrote: read it with care. */
export type TlsHandshake = {
  /** The address the connection went to. */
  readonly address: string;
  readonly protocol: string | null;
  readonly isTrusted: boolean;
  /** The code of what is wrong with it (CERT_HAS_EXPIRED …), or null. */
  readonly problem: string | null;
  /** The leaf, DER. */
  readonly leaf: Buffer;
};

export type OutboundStreams = {
  /** Sends `text`, reads until the other end closes (WHOIS, RFC 3912). Too much is an `OutboundError('too_large')`. */
  readonly exchange: (
    target: StreamTarget & { readonly text: string; readonly bytesMax: number },
  ) => Promise<Buffer>;
  /** Shakes hands, takes the certificate and leaves; nothing is asked of the host. */
  readonly handshake: (
    target: StreamTarget & { readonly serverName?: string; readonly bytesMax: number },
  ) => Promise<TlsHandshake>;
  readonly close: () => Promise<void>;
};
