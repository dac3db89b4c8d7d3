import { inertText } from '#domain/text/inert-text.ts';
import type { CtHistory } from '../contract-hosts.ts';
import { serialNumber } from '../tls/serial-number.ts';

const KEPT_MAX = 50;
const DISTINGUISHED_MAX = 512;
const NAME_MAX = 256;

const DATE_MAX = 40;
const SERIAL_MAX = 128;

/**
 * One log entry in the JSON of crt.sh. Read by hand, because up to 6,000 rows block the event loop: a schema
 * took more than four times as long (24 µs a row against 5). Text is bounded and cleaned when it is stored.
 */
type Entry = {
  readonly issuer: string;
  readonly serial: string;
  readonly commonName: unknown;
  readonly names: unknown;
  readonly validFromMs: number;
  readonly validToMs: number;
};

/**
 * A certificate is logged twice, as precertificate and as leaf (RFC 6962 3.1), and in several logs: issuer and serial
 * number identify it (RFC 5280 4.1.2.2). Null when no row can be read, which means that the format has changed.
 */
export function readCtRows(rows: readonly unknown[]): CtHistory | null {
  const distinct = new Map<string, Entry>();
  for (const raw of rows) {
    const entry = entryOf(raw);
    if (entry === null) continue;
    const key = `${entry.serial} ${entry.issuer}`;
    if (!distinct.has(key)) distinct.set(key, entry);
  }
  if (distinct.size === 0 && rows.length > 0) return null;
  const newest = [...distinct.values()].sort((a, b) => b.validFromMs - a.validFromMs);
  return {
    history: newest.slice(0, KEPT_MAX).map(present),
    total: distinct.size,
    names: namesOf(newest),
  };
}

function entryOf(raw: unknown): Entry | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const row = raw as Readonly<Record<string, unknown>>;
  const { issuer_name: issuer, serial_number: serial, common_name: commonName, name_value: names } = row;
  if (typeof issuer !== 'string' || typeof serial !== 'string') return null;
  if (serial === '' || serial.length > SERIAL_MAX) return null;
  const [validFromMs, validToMs] = [utcMs(row.not_before), utcMs(row.not_after)];
  if (Number.isNaN(validFromMs) || Number.isNaN(validToMs)) return null;
  return { issuer, serial: serialNumber(serial), commonName, names, validFromMs, validToMs };
}

/** `2026-01-31T00:00:00` is in UTC, but has no zone. */
const utcMs = (value: unknown): number =>
  typeof value === 'string' && value.length <= DATE_MAX && UTC.test(value)
    ? Date.parse(value.endsWith('Z') ? value : `${value}Z`)
    : Number.NaN;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?$/;

const present = (entry: Entry): CtHistory['history'][number] => {
  const name = inertText(entry.commonName, NAME_MAX);
  return {
    issuer: inertText(entry.issuer, DISTINGUISHED_MAX) ?? '',
    subject: name === null ? '' : `CN=${name}`,
    validFrom: new Date(entry.validFromMs).toISOString(),
    validTo: new Date(entry.validToMs).toISOString(),
    serialNumber: entry.serial,
    // The search gives no fingerprint; it would take a download per certificate.
    fingerprint: null,
  };
};

function namesOf(newest: readonly Entry[]): string[] {
  const found = new Set<string>();
  for (const { names } of newest)
    for (const line of typeof names === 'string' ? names.split('\n', KEPT_MAX) : []) {
      const name = inertText(line, NAME_MAX);
      if (name !== null) found.add(name.toLowerCase());
      if (found.size === KEPT_MAX) return [...found];
    }
  return [...found];
}
