import type { Preview } from './preview.ts';

/** Reads in short steps that keep the page responsive. Null when the text was replaced meanwhile. */
export async function previewText(text: string, isWanted: () => boolean): Promise<Preview | null> {
  const { readPreview } = await import('./read-preview.ts');
  const steps = readPreview(text);
  while (isWanted()) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTask();
  }
  return null;
}

/** Yields to other tasks. A timer would wait at least 4 ms each time. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
