import { type ModalPeer, startModalPeer } from './peer-mode.ts';

export type CtRow = {
  readonly issuer_ca_id: number;
  readonly issuer_name: string;
  readonly common_name: string | null;
  readonly name_value: string;
  readonly id: number;
  readonly entry_timestamp: string;
  readonly not_before: string;
  readonly not_after: string;
  readonly serial_number: string;
};

export const ctRow = (fields: Partial<CtRow> = {}): CtRow => ({
  issuer_ca_id: 1,
  issuer_name: 'C=US, O=Example Trust, CN=E1',
  common_name: 'shop.example.com',
  name_value: 'shop.example.com',
  id: 1,
  entry_timestamp: '2026-01-02T03:04:05.678',
  not_before: '2026-01-02T02:04:05',
  not_after: '2026-04-02T02:04:04',
  serial_number: '04a1',
  ...fields,
});

export const startCtPeer = (rowsOf: (name: string) => readonly unknown[]): Promise<ModalPeer> =>
  startModalPeer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://peer');
    const isAsked = searchParams.get('output') === 'json';
    response.writeHead(isAsked ? 200 : 400, { 'content-type': 'application/json' });
    response.end(isAsked ? JSON.stringify(rowsOf(searchParams.get('q') ?? '')) : '');
  });
