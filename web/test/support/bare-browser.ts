import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../../../server/test/support/eventually.ts';
import { CHROMIUM } from './browser.ts';

export type BarePage = {
  readonly open: (url: string) => Promise<void>;
  readonly read: <T>(expression: string) => Promise<T>;
  readonly close: () => Promise<void>;
};

/** `early` runs in the page before its own scripts. */
export type BareBrowser = {
  readonly newPage: (early: string) => Promise<BarePage>;
  readonly close: () => Promise<void>;
};

/**
 * The time that Chromium takes to draw its first new window; later ones take much less.
 */
const WINDOW_OPENS_MS = 1_500;

type Send = <T>(method: string, params?: object, sessionId?: string) => Promise<T>;

/**
 * Chromium without Playwright, for measurements. Playwright asks for stack traces, for which Chromium parses all
 * scripts a second time: a third of their cost, which no reader pays.
 */
export async function openBareBrowser(): Promise<BareBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'assay-browser-'));
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--no-first-run',
    '--disable-gpu',
    '--remote-debugging-port=0',
  ];
  const child = spawn(CHROMIUM, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const socket = new WebSocket(await addressOf(child));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('Chromium does not talk.')));
  });
  const send = createSend(socket);
  return {
    newPage: (early) => newPage(send, early),
    close: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      await send('Browser.close').catch(() => undefined);
      await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function newPage(send: Send, early: string): Promise<BarePage> {
  const { browserContextId } = await send<{ browserContextId: string }>('Target.createBrowserContext');
  const { targetId } = await send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
    width: 1_360,
    height: 900,
  });
  const { sessionId } = await send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  });
  await send('Page.enable', {}, sessionId);
  await send('Page.addScriptToEvaluateOnNewDocument', { source: early }, sessionId);
  // Waits until the window is drawn: its address bar is a page of Chromium with a hundred scripts, which would take
  // both cores from the page under test. A reader's window is open already.
  await sleep(WINDOW_OPENS_MS);
  return {
    open: async (url) => {
      const { errorText } = await send<{ errorText?: string }>('Page.navigate', { url }, sessionId);
      if (errorText !== undefined) throw new Error(`${url}: ${errorText}`);
    },
    read: async <T>(expression: string) => {
      const question = { expression, returnByValue: true };
      const { result } = await send<{ result: { value: T } }>('Runtime.evaluate', question, sessionId);
      return result.value;
    },
    close: () => send('Target.disposeBrowserContext', { browserContextId }),
  };
}

const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, address] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`Chromium ended: ${said.slice(-500)}`)));
    child.once('error', reject);
  });

type Answer = {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
};

function createSend(socket: WebSocket): Send {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, result, error } = JSON.parse(String(data)) as Answer;
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result as never);
    else asked?.reject(new Error(error.message));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Chromium has ended.'));
  });
  return (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    });
}
