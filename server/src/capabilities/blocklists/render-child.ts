import { parentPort, workerData } from 'node:worker_threads';
import { type RenderOrder, renderList } from './render-list.ts';

/** A separate thread, because a list of a million names takes seconds, and checks are answered meanwhile. */
const { body, entries, left } = await renderList(workerData as RenderOrder);
parentPort?.postMessage({ body, entries, left });
