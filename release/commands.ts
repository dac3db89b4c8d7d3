import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ReleaseError } from './cli-options.ts';

export const ROOT = join(import.meta.dirname, '..');
const OUTPUT_BYTES_MAX = 1_000_000;

/** Runs a command and returns its standard output without the last line break. A failure is thrown with its output. */
export async function read(command: string, args: readonly string[]): Promise<string> {
  const { code, text, complaint } = await ended(command, args, 'pipe');
  if (code !== 0) throw new ReleaseError(`${command} ${args.join(' ')} failed: ${complaint || text}`);
  return text.trimEnd();
}

/** Whether the command can be started and succeeds. */
export const succeeds = async (command: string, args: readonly string[]): Promise<boolean> =>
  (await ended(command, args, 'pipe')).code === 0;

/** Runs a command with its output shown to the user as progress. */
export async function show(command: string, args: readonly string[]): Promise<void> {
  const { code } = await ended(command, args, 'inherit');
  if (code !== 0) throw new ReleaseError(`${command} ${args.join(' ')} failed.`);
}

type Ended = { readonly code: number | null; readonly text: string; readonly complaint: string };

function ended(command: string, args: readonly string[], stdio: 'pipe' | 'inherit'): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], { cwd: ROOT, stdio: ['ignore', stdio, stdio] });
    let [text, complaint] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-OUTPUT_BYTES_MAX);
    });
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      complaint = (complaint + part).slice(-OUTPUT_BYTES_MAX);
    });
    child.on('error', (error) => resolve({ code: null, text, complaint: error.message }));
    child.on('close', (code) => resolve({ code, text, complaint: complaint.trim() }));
  });
}
