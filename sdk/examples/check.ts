// ASSAY_URL=http://127.0.0.1:8080 ASSAY_KEY='<header>' node sdk/examples/check.ts example.com 185.220.101.1
import { AssayError, createAssay, RateLimited } from '@assay/sdk';

const { ASSAY_URL: baseUrl = 'http://127.0.0.1:8080', ASSAY_KEY: key } = process.env;
const targets = process.argv.slice(2);
const [first = 'example.com'] = targets;

const assay = createAssay({
  baseUrl,
  key,
  onResponse: ({ limits: { monthly } }) => {
    if (monthly !== null && monthly.percentage > 90)
      console.warn(`${monthly.usage} of ${monthly.limit} checks used`);
  },
});

try {
  for await (const { type, data } of assay.checkStream(first)) {
    if (type === 'reputation') console.log(`${data.query}: ${data.blocklistHits} lists`);
    if (type === 'insights') console.log(`${data.evidence.verdict}, ${data.riskScore.score} of 100`);
  }
  // Without a key only the stream above may be called.
  if (key !== undefined)
    for await (const row of assay.bulk(targets))
      console.log(`${row.entity}: ${row.error ?? row.evidence?.verdict ?? 'unknown'}`);
} catch (error) {
  if (error instanceof RateLimited) console.error(`Used up: ${error.usedUp}. ${error.message}`);
  else if (error instanceof AssayError) console.error(`${error.message} (request ${error.requestId})`);
  else throw error;
  process.exitCode = 1;
}
