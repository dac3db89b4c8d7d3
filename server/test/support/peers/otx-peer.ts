import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type ModalPeer, startModalPeer } from './peer-mode.ts';

export type OtxSection =
  | 'hang'
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown };

export type OtxPeer = ModalPeer & {
  readonly headers: readonly IncomingHttpHeaders[];
  /** Number of requests whose client disconnected before the answer. */
  readonly abandoned: () => number;
  /** Sets the answer of a section: `IPv4/203.0.113.9/general`, or `general` for any target. */
  readonly tell: (section: string, answer: OtxSection) => void;
};

const NOTHING = { pulse_info: { count: 0, pulses: [] }, reputation: 0 };
const PATH = /^\/api\/v1\/indicators\/(\w+)\/([^/]+)\/(\w+)(?:\?.*)?$/;

/** Community intelligence in the form of the OTX API, without any pulse until `tell` is called. */
export async function startOtxPeer(where: { readonly port?: number } = {}): Promise<OtxPeer> {
  const headers: IncomingHttpHeaders[] = [];
  let abandoned = 0;
  const sections = new Map<string, OtxSection>([['general', { body: NOTHING }]]);
  const peer = await startModalPeer((request, response) => {
    headers.push(request.headers);
    response.once('close', () => {
      if (!response.writableEnded) abandoned += 1;
    });
    const [, type = '', value = '', section = ''] = PATH.exec(request.url ?? '') ?? [];
    const exact = `${type}/${decodeURIComponent(value)}/${section}`;
    answer(response, sections.get(exact) ?? sections.get(section));
  }, where);
  return Object.assign(peer, {
    headers,
    abandoned: () => abandoned,
    tell: (section: string, told: OtxSection) => {
      sections.set(section, told);
    },
  });
}

function answer(response: ServerResponse, section: OtxSection | undefined): void {
  if (section === 'hang') return;
  response
    .writeHead(section === undefined ? 404 : (section.status ?? 200), {
      'content-type': 'application/json',
      ...section?.headers,
    })
    .end(JSON.stringify(section?.body ?? { detail: 'endpoint not found' }));
}

export const otxPulse = (id: string, different: Readonly<Record<string, unknown>> = {}) => ({
  id,
  name: `Pulse ${id}`,
  description: 'Seen in a campaign.',
  tags: ['c2'],
  TLP: 'white',
  modified: '2026-05-01T10:00:00.123000',
  references: ['https://research.example/report'],
  author: { username: 'analyst', id: '1' },
  subscriber_count: 12,
  ...different,
});
