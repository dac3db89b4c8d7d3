import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { corpusDataset, openCorpus } from '../server/src/capabilities/corpus/index.ts';
import { METER_FUNCTIONS, METER_LIBRARY } from '../server/src/capabilities/metering/meter-library.ts';
import { periodOf } from '../server/src/domain/metering/period.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { loadConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { connectRedis } from '../server/src/platform/redis.ts';
import { openReplica } from '../server/src/platform/replica/reader.ts';
import { indicatorOf } from './support/generated-corpus.ts';

/**
 * The floor of `npm run bench:bulk`: Fastify reads the same JSON body, looks the same indicators up in the same replica
 * with the corpus' own reader, and sends the same rows as any handler would: an object through JSON.stringify. The same
 * Redis call, headers and log line. No credential, nothing validated, parsed, judged or presented: indicators and rows
 * are ready before the first request. Started by bulk.ts, not by hand.
 */
type Floor = {
  readonly port: number;
  readonly account: string;
  readonly burstLimit: number;
  readonly monthLimit: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly batches: readonly { readonly entities: readonly string[]; readonly reply: object }[];
};
const floor = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Floor;
const config = loadConfig();
const clock = systemClock();
const log = createLog(config.LOG_LEVEL);
const redis = await connectRedis({ config, log, clock });
await redis.loadLibrary(METER_LIBRARY);
const replica = await openReplica({ dataDir: config.DATA_DIR, dataset: corpusDataset, log, clock });
const corpus = openCorpus(replica);
const batches = new Map(
  floor.batches.map(({ entities, reply }) => [
    entities[0] ?? '',
    { indicators: entities.map(indicatorOf), reply },
  ]),
);

const period = periodOf(clock.now());
const month = `${config.REDIS_PREFIX}:{${floor.account}}:u:${period.name}`;
const burst = `${config.REDIS_PREFIX}:{${floor.account}}:b:bare`;
const settled = ['bare', '0', '0', '0', '0', 'bare', '0', '0', '0', '86400000'];
const [incarnation] = (await redis.callFunction(METER_FUNCTIONS.settle, [month], settled)) as string[];
const pid = process.pid;
let listings = 0;

const app = Fastify({ logger: false, bodyLimit: 1024 * 1024 });
app.addHook('onResponse', (_request, reply, done) => {
  const ms = Math.round(reply.elapsedTime * 100) / 100;
  log.line(
    `{"level":30,"time":${clock.now()},"pid":${pid},"msg":"request","requestId":"req_01M7EHWJ5AN18TXX741EQ9KD51","method":"POST","route":"/bulk/check","surface":"api","status":${reply.statusCode},"ms":${ms},"bytes":${Number(reply.getHeader('content-length') ?? 0)},"principal":"key_01M7EHT7WGKC3GZPNRWX5QRYJM","account":"usr_01M7EHT7TGG1AZFXFCHN19HHJ2","plan":"ENTERPRISE"}`,
  );
  done();
});
app.post<{ Body: { readonly entities: readonly string[] } }>('/bulk/check', (request, reply) => {
  const { entities } = request.body;
  const units = String(entities.length);
  const limits = [String(floor.burstLimit), units, 'checks', String(floor.monthLimit)];
  const times = [String(period.startMs), String(period.endMs), incarnation ?? ''];
  const answer = (metered: unknown): void => {
    const [, remaining, resetMs, , granted] = metered as number[];
    const batch = batches.get(entities[0] ?? '');
    for (const indicator of batch?.indicators ?? []) listings += corpus.lookup(indicator).listings.length;
    for (const [name, value] of floor.headers) reply.header(name, value);
    reply.header('x-request-id', 'req_01M7EHWJ5AN18TXX741EQ9KD51');
    reply.header('x-ratelimit-limit', String(floor.burstLimit));
    reply.header('x-ratelimit-remaining', String(remaining));
    reply.header('x-ratelimit-reset', String(resetMs));
    reply.header('x-ratelimit-type', 'burst');
    reply.header('x-ratelimit-plan', 'ENTERPRISE');
    reply.header('x-monthly-usage', String(granted));
    reply.header('x-monthly-limit', String(floor.monthLimit));
    reply.header('x-monthly-percentage', '0.1');
    reply.send(batch?.reply);
  };
  // A call past its 50 ms answers without a meter, as ours does from its local counters.
  redis
    .command(month, ['FCALL', METER_FUNCTIONS.meter, '2', burst, month, '0', ...limits, ...times])
    .then(answer, () => answer([0, 0, 0, 0, 0]));
});
/** The lookups are not to be optimised away, and somebody may ask what they found. */
app.get('/listings', () => ({ listings }));
await app.listen({ host: '127.0.0.1', port: floor.port });
process.send?.('listening');
process.once('disconnect', () => process.exit(0));
process.once('SIGINT', () => process.exit(0));
