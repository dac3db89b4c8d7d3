import { readStream } from '#test/read-stream.ts';

/** The part of an answer that every surface must give alike; a field that a surface does not show is undefined. */
export type Shown = {
  readonly level?: string | undefined;
  readonly score?: number | undefined;
  readonly word?: string | undefined;
  readonly action?: string | undefined;
  readonly malicious?: boolean | undefined;
};
export type Surface = { readonly name: string; readonly shown: Shown };

type Json = Record<string, unknown>;
export type Caller = {
  readonly get: (path: string) => Promise<Json>;
  readonly post: (path: string, body: unknown) => Promise<Json>;
  readonly text: (path: string, body: unknown) => Promise<string>;
  readonly stream: (path: string) => Promise<Awaited<ReturnType<typeof readStream>>['events']>;
};

export function callerOf(url: string, credential: string): Caller {
  const headers = { 'X-API-KEY': credential, 'Content-Type': 'application/json' };
  const send = async (path: string, body?: unknown): Promise<string> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { headers, ...init });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} ${JSON.stringify(body) ?? ''}: ${response.status} ${text}`);
    return text;
  };
  return {
    get: async (path) => JSON.parse(await send(path)) as Json,
    post: async (path, body) => JSON.parse(await send(path, body)) as Json,
    text: send,
    stream: async (path) => (await readStream(`${url}${path}`, headers)).events,
  };
}

type Judged = {
  malicious?: boolean;
  recommendedAction?: string;
  riskScore?: { score: number; level: string; word: string };
  evidence?: { recommendedAction: string; verdict: string; score: number } | null;
};

/** The compared fields of a check, of a phase of its stream, or of the route of a contact. */
function shownIn(answer: Json): Shown {
  const { malicious, recommendedAction, riskScore, evidence } = answer as Judged;
  return {
    level: riskScore?.level,
    score: riskScore?.score,
    word: riskScore?.word,
    action: recommendedAction ?? evidence?.recommendedAction,
    malicious,
  };
}

/** The evidence repeats level, score and action, and must not differ from the fields beside it. */
function evidenceIn(answer: Json): Shown {
  const { evidence } = answer as Judged;
  if (evidence === undefined || evidence === null) return {};
  return {
    level: evidence.verdict === 'unknown' ? 'inconclusive' : evidence.verdict,
    score: evidence.score,
    action: evidence.recommendedAction,
  };
}

const both = (name: string, answer: Json): readonly Surface[] => [
  { name, shown: shownIn(answer) },
  { name: `${name} evidence`, shown: evidenceIn(answer) },
];

function shownInRow(row: Json): Shown {
  const { riskLevel, riskScore, word, recommendedAction, isMalicious } = row as Record<string, never>;
  return { level: riskLevel, score: riskScore, word, action: recommendedAction, malicious: isMalicious };
}

/** The compared fields of a brief: no score beside an unknown verdict, and the word in its headline only. */
function shownInBrief(brief: Json): Shown {
  const { riskLevel, riskScore, recommendedAction, headline, query } = brief as Record<string, string>;
  const word = headline?.slice(`${query}: `.length).replace(/(?: \(\d+ of 100\))?\..*$/, '');
  return {
    level: riskLevel,
    score: (riskScore as unknown as number | null) ?? undefined,
    word,
    action: recommendedAction,
  };
}

/** The compared fields of a CSV line. A quoted cell may hold commas and is replaced; no compared cell is quoted. */
function shownInCsv(csv: string): Shown {
  const [header = '', line = ''] = csv.split('\r\n');
  const cells = line.replace(/"[^"]*"/g, 'list').split(',');
  const cell = (column: string) => cells[header.split(',').indexOf(column)] || undefined;
  const score = cell('riskScore');
  return {
    level: cell('riskLevel'),
    score: score === undefined ? undefined : Number(score),
    word: cell('word'),
    action: cell('recommendedAction'),
    malicious: cell('isMalicious') === 'true',
  };
}

async function bulkSurfaces({ post, text }: Caller, entity: string): Promise<readonly Surface[]> {
  const { results } = await post('/bulk/check', { entities: [entity] });
  const [row = {}] = results as Json[];
  const csv = await text('/bulk/check', { entities: [entity], format: 'csv' });
  return [
    { name: 'bulk row', shown: shownInRow(row) },
    { name: 'bulk row evidence', shown: evidenceIn(row) },
    { name: 'bulk CSV', shown: shownInCsv(csv) },
  ];
}

async function streamSurfaces({ stream }: Caller, query: string): Promise<readonly Surface[]> {
  const events = await stream(`/check/stream?query=${query}`);
  const of = (type: string): Json => events.find((event) => event.type === type)?.data ?? {};
  const { verdict, malicious } = of('reputation');
  return [
    ...both('stream, first phase', { ...(verdict as Json), malicious }),
    ...both('stream, insights', of('insights')),
  ];
}

async function reportSurfaces({ get, post }: Caller, result: Json): Promise<readonly Surface[]> {
  const { report } = (await post('/reports/save', { result })) as { report: Json };
  const shownIn = ({ riskScore, riskLevel, verdict }: Json): Shown => ({
    level: verdict === riskLevel ? (riskLevel as string) : `${String(verdict)} and ${String(riskLevel)}`,
    score: riskScore as number,
  });
  const { reports } = await get(`/reports?limit=1`);
  return [
    { name: 'saved report', shown: shownIn(report) },
    { name: 'list of reports', shown: shownIn((reports as Json[])[0] ?? {}) },
  ];
}

async function historySurfaces({ get }: Caller, query: string): Promise<readonly Surface[]> {
  const { points } = (await get(`/threat-intel/history?days=1&entity=${query}`)) as { points: Json[] };
  const { level, score, malicious } = (points.at(-1) ?? {}) as Shown;
  return [{ name: 'history', shown: { level, score, malicious } }];
}

/** Everything that the service says of an IP address, a domain, a URL or a hash. */
export async function surfacesOfHost(caller: Caller, value: string): Promise<readonly Surface[]> {
  const { get, post } = caller;
  const query = encodeURIComponent(value);
  const standard = await get(`/check?query=${query}`);
  const { malicious } = await get(`/check?query=${query}&enrichment=basic`);
  const { recommendedAction } = await post('/ai-analysis', { query: value });
  const hasHistory = !/^http|^[0-9a-f]{32,}$/.test(value);
  return [
    ...both('check', standard),
    ...both('check of the web host', await get(`/api/check?query=${query}`)),
    ...both('check at fast', await get(`/check?query=${query}&enrichment=fast`)),
    ...both('check at full', await get(`/check?query=${query}&enrichment=full`)),
    { name: 'check at basic', shown: { malicious: malicious as boolean } },
    ...(await streamSurfaces(caller, query)),
    ...(await bulkSurfaces(caller, value)),
    { name: 'brief', shown: shownInBrief(await get(`/gpt/check?query=${query}`)) },
    { name: 'analysis in words', shown: { action: recommendedAction as string } },
    ...both('analyze', await post('/api/analyze', { input: value })),
    ...(await reportSurfaces(caller, standard)),
    ...(hasHistory ? await historySurfaces(caller, query) : []),
  ];
}

export async function surfacesOfEmail(caller: Caller, value: string): Promise<readonly Surface[]> {
  const { get, post } = caller;
  const email = encodeURIComponent(value);
  return [
    ...both('check of an address', await get(`/check/email?email=${email}`)),
    ...both('report of the web host', await get(`/api/check/email?email=${email}`)),
    ...both('report at fast', await get(`/api/check/email?email=${email}&enrichment=fast`)),
    ...(await bulkSurfaces(caller, value)),
    { name: 'brief', shown: shownInBrief(await get(`/gpt/email?email=${email}`)) },
    ...both('analyze', await post('/api/analyze', { input: value })),
  ];
}

export const surfacesOfPhone = async (caller: Caller, value: string): Promise<readonly Surface[]> => [
  ...both('check of a number', await caller.get(`/api/check/phone?phone=${encodeURIComponent(value)}`)),
  ...(await bulkSurfaces(caller, value)),
  ...both('analyze', await caller.post('/api/analyze', { input: value })),
];

export const surfacesOfWallet = async (caller: Caller, value: string): Promise<readonly Surface[]> => [
  ...both('check of a wallet', await caller.get(`/api/check/crypto?address=${value}`)),
  ...both('analyze', await caller.post('/api/analyze', { input: value })),
];
