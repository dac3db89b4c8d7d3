import { DAY, defineRows, HOUR } from '../define-rows.ts';
import { attributed } from '../licences.ts';

/** Spamhaus DROP: address space that criminals own, so a listed range applies as a whole (cidrSemantics owned). */
export const SPAMHAUS_ROWS = defineRows(
  {
    publisher: 'The Spamhaus Project',
    lineage: 'spamhaus',
    letter: 'A',
    fpRisk: 'low',
    threatClass: 'threat',
    cidrSemantics: 'owned',
    category: 'malware',
    licence: attributed(
      'Spamhaus DROP: free of charge, date and copyright text are kept',
      'Spamhaus DROP lists © The Spamhaus Project SLU, https://www.spamhaus.org/drop/',
    ),
    /** The publisher blocks clients that fetch the lists more than once an hour. */
    minIntervalS: HOUR,
    /** The last line of each file describes the file: one of about 80 lines in the IPv6 list. */
    rejectShareMax: 0.05,
    isDefault: true,
  },
  [
    {
      id: 'spamhaus-drop',
      name: 'Spamhaus DROP, IPv4',
      urls: ['https://www.spamhaus.org/drop/drop_v4.json'],
      format: { kind: 'ndjson', fields: { values: ['cidr'], reference: 'sblid' } },
      entityTypes: ['ip'],
      tags: ['hijacked-netblock'],
      pollS: 12 * HOUR,
      entries: 1_599,
      bytes: 130_000,
    },
    {
      id: 'spamhaus-drop-v6',
      name: 'Spamhaus DROP, IPv6',
      urls: ['https://www.spamhaus.org/drop/drop_v6.json'],
      format: { kind: 'ndjson', fields: { values: ['cidr'], reference: 'sblid' } },
      entityTypes: ['ip'],
      tags: ['hijacked-netblock'],
      pollS: 12 * HOUR,
      entries: 80,
      bytes: 8_000,
    },
    {
      id: 'spamhaus-asndrop',
      name: 'Spamhaus ASN-DROP',
      urls: ['https://www.spamhaus.org/drop/asndrop.json'],
      format: { kind: 'ndjson', fields: { values: ['asn'], entries: 'asn' } },
      entityTypes: ['asn'],
      /** The only kind of list that may boost by network (scoring ruling 10). */
      tags: ['asn-drop'],
      pollS: DAY,
      entries: 400,
      bytes: 60_000,
    },
  ],
);
