import { endProcess } from '../end-process.ts';
import { openEnvironment } from '../lmdb.ts';
import { rewriteGeneration } from './compact.ts';
import { GenerationWriter } from './generation-writer.ts';
import { dataFile } from './generations.ts';
import type { WriterCall, WriterReply } from './writer-process.ts';

/**
 * The process that writes one generation. It ends with its parent: when the channel closes no more work can arrive,
 * and uncommitted changes are lost safely.
 */
process.on('disconnect', () => endProcess(0));
// A parent that was killed while this file loaded sends no event any more; without this line the child would stay.
if (!process.connected) endProcess(0);
// The parent handles a signal to the whole group: it finishes its work and closes the channel.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

let writer: GenerationWriter | null = null;
let queue: Promise<void> = Promise.resolve();

process.on('message', (call: WriterCall) => {
  queue = queue.then(async () => {
    let reply: WriterReply;
    try {
      reply = { id: call.id, result: await answer(call) };
    } catch (error) {
      reply = { id: call.id, error: error instanceof Error ? error.message : String(error) };
    }
    // The parent may have ended.
    process.send?.(reply, undefined, undefined, (error) => {
      if (error !== null) endProcess(0);
    });
  });
});

async function answer(call: WriterCall): Promise<unknown> {
  switch (call.name) {
    case 'create':
      writer = GenerationWriter.create(...call.args);
      return undefined;
    case 'adopt':
      writer = GenerationWriter.adopt(...call.args);
      return writer.state();
    case 'copyInto':
      return open().copyInto(...call.args);
    case 'putDerived':
      return open().putDerived(...call.args);
    case 'finish':
      return open().finish();
    case 'stage':
      return open().stage(...call.args);
    case 'discardStaged':
      return open().discardStaged();
    case 'commit':
      return open().commit(...call.args);
    case 'touch':
      return open().touch(...call.args);
    case 'rewrite':
      return rewriteGeneration(...call.args);
    case 'isRead':
      return isRead(...call.args);
    case 'close':
      await writer?.close();
      writer = null;
      return undefined;
  }
}

function open(): GenerationWriter {
  if (writer === null) throw new Error('No generation is open for writing.');
  return writer;
}

async function isRead(folder: string): Promise<boolean> {
  const environment = openEnvironment(dataFile(folder), 'read');
  try {
    environment.readerCheck();
    return environment
      .readerList()
      .split('\n')
      .some((line) => /^\s*\d+\s/.test(line) && Number(line.trim().split(/\s+/)[0]) !== process.pid);
  } finally {
    await environment.close();
  }
}
