import { type ModalPeer, startModalPeer } from './peer-mode.ts';

export type ModelPeer = ModalPeer & {
  content: string;
  readonly asked: readonly unknown[];
  readonly authorizations: readonly (string | undefined)[];
};

/** A peer with the HTTP interface of a language model: POST …/chat/completions. */
export async function startModelPeer(content: string): Promise<ModelPeer> {
  const state = { content };
  const asked: unknown[] = [];
  const authorizations: (string | undefined)[] = [];
  const peer = await startModalPeer((request, response) => {
    authorizations.push(request.headers.authorization);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: state.content } }] }));
    });
  });
  const setContent = (next: string): void => {
    state.content = next;
  };
  return Object.defineProperties(peer as ModelPeer, {
    content: { get: () => state.content, set: setContent },
    asked: { value: asked },
    authorizations: { value: authorizations },
  });
}
