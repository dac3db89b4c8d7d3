import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { corpusDataset, openCorpus } from '../server/src/capabilities/corpus/index.ts';
import { openReplica } from '../server/src/platform/replica/reader.ts';
import { type BareFloor, endWithParent, openBareMeter } from './support/bare-meter.ts';
import { indicatorOf } from './support/generated-corpus.ts';

/**
 * The floor of `npm run bench:bulk`: Fastify reads the same JSON body, looks up the same indicators in the same replica
 * with the corpus reader, and sends the same rows through JSON.stringify like any Fastify handler. It makes the same
 * Redis call and writes the same headers and log line. It does not authenticate, validate, parse, judge or present:
 * indicators and rows are prepared before the first request. Started by bulk.ts, not by hand.
 */
type Floor = BareFloor & {
  readonly batches: readonly { readonly entities: readonly string[]; readonly reply: object }[];
};
const floor = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Floor;
const { config, clock, log, spend, writeHeaders, logAnswer } = await openBareMeter(floor);
const replica = await openReplica({ dataDir: config.DATA_DIR, dataset: corpusDataset, log, clock });
const corpus = openCorpus(replica);
const batches = new Map(
  floor.batches.map(({ entities, reply }) => [
    entities[0] ?? '',
    { indicators: entities.map(indicatorOf), reply },
  ]),
);
let listings = 0;

const app = Fastify({ logger: false, bodyLimit: 1024 * 1024 });
app.addHook('onResponse', (_request, reply, done) => {
  logAnswer('POST', '/bulk/check', reply);
  done();
});
app.post<{ Body: { readonly entities: readonly string[] } }>('/bulk/check', (request, reply) => {
  const { entities } = request.body;
  void spend(String(entities.length)).then((metered) => {
    const batch = batches.get(entities[0] ?? '');
    for (const indicator of batch?.indicators ?? []) listings += corpus.lookup(indicator).listings.length;
    writeHeaders(reply, metered);
    reply.send(batch?.reply);
  });
});
/** Keeps the lookups from being optimised away. */
app.get('/listings', () => ({ listings }));
await app.listen({ host: '127.0.0.1', port: floor.port });
endWithParent();
