export { readKeywords, SearchReply } from './contract.ts';
export { followCorpus } from './follow-corpus.ts';
export { searchWorkerPart } from './jobs.ts';
export { searchRoutes } from './routes.ts';
export { type SearchDeps, searchLookalikes } from './search-lookalikes.ts';
