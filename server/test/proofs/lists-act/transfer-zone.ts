import { connect } from 'node:net';
import { encodeName, readName } from '#platform/dns/name.ts';

const HEAD = 12;
const QUESTION_TAIL = 4;
const RECORD_HEAD = 10;
const [TYPE_CNAME, TYPE_SOA, TYPE_AXFR, CLASS_IN] = [5, 6, 252, 1];

/** Counts the CNAME records of a zone by a transfer (RFC 5936), which begins and ends with the SOA record. */
export const countAliases = (port: number, zone: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let left: Buffer = Buffer.alloc(0);
    let [aliases, starts] = [0, 0];
    socket.once('error', reject);
    socket.once('end', () => reject(new Error('The transfer ended before the zone did.')));
    socket.on('data', (piece: Buffer) => {
      left = left.length === 0 ? piece : Buffer.concat([left, piece]);
      while (left.length >= 2 && left.length >= 2 + left.readUInt16BE(0)) {
        const end = 2 + left.readUInt16BE(0);
        const types = typesIn(left.subarray(2, end));
        aliases += types.filter((type) => type === TYPE_CNAME).length;
        starts += types.filter((type) => type === TYPE_SOA).length;
        left = left.subarray(end);
      }
      if (starts < 2) return;
      socket.destroy();
      resolve(aliases);
    });
    socket.write(transferOf(zone));
  });

function transferOf(zone: string): Buffer {
  const [head, tail] = [Buffer.alloc(HEAD), Buffer.alloc(QUESTION_TAIL)];
  head.writeUInt16BE(1, 4);
  tail.writeUInt16BE(TYPE_AXFR, 0);
  tail.writeUInt16BE(CLASS_IN, 2);
  const message = Buffer.concat([head, encodeName(zone), tail]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length, 0);
  return Buffer.concat([length, message]);
}

function typesIn(message: Buffer): readonly number[] {
  const rcode = message.readUInt16BE(2) & 0x0f;
  if (rcode !== 0) throw new Error(`The transfer was refused with code ${rcode}.`);
  let at = HEAD;
  for (let i = 0; i < message.readUInt16BE(4); i += 1) at = readName(message, at).next + QUESTION_TAIL;
  return Array.from({ length: message.readUInt16BE(6) }, () => {
    const { next } = readName(message, at);
    at = next + RECORD_HEAD + message.readUInt16BE(next + 8);
    return message.readUInt16BE(next);
  });
}
