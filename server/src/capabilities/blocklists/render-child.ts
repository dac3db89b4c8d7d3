import { parentPort, workerData } from 'node:worker_threads';
import { type RenderOrder, renderList } from './render-list.ts';

/** Runs in its own thread: rendering a list of a million names takes seconds, which would block all checks. */
const { body, entries, left } = await renderList(workerData as RenderOrder);
parentPort?.postMessage({ body, entries, left });
