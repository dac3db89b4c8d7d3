export { WatchlistAlert } from './events.ts';
export { openStreams, type Streams } from './open-streams.ts';
export { STREAM_POLICY, streamRoutes } from './routes.ts';
export type { StreamDeps } from './send-stream.ts';
export { createNewsTeller } from './tell-news.ts';
