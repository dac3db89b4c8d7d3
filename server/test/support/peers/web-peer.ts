import { type ModalPeer, startModalPeer } from './peer-mode.ts';

export type FrontPage = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly html?: string;
  readonly isEndless?: boolean;
};

/** A website over plain HTTP: `pageOf` gets the requested host and path. */
export const startWebPeer = (
  pageOf: (host: string, path: string) => FrontPage,
  where: { readonly host?: string; readonly port?: number } = {},
): Promise<ModalPeer> =>
  startModalPeer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    const { status = 200, headers = {}, html = '', isEndless = false } = pageOf(host, request.url ?? '/');
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    if (!isEndless) return void response.end(html);
    const pump = () => {
      while (!response.destroyed && response.write(html)) {
        // Writes until the socket's buffer is full.
      }
    };
    response.on('drain', pump);
    pump();
  }, where);
