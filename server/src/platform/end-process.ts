import { accessSync, constants } from 'node:fs';
import { flushCompileCache } from 'node:module';

const SHELL = '/bin/sh';

/**
 * Ends this process at once with an exit code. `process.exit()` of Node 26 may never return: it waits for the compiler
 * threads of V8, one of which may wait for a garbage collection by the very thread that ends (nodejs/node issue 54918).
 * One in a hundred replica children stayed that way, and whatever waited for their end waited too. A shell that takes the
 * place of the process ends its threads in the kernel.
 */
export function endProcess(code: number): never {
  // Node writes its compile cache when it exits, but here a shell takes the place of the process.
  flushCompileCache();
  if (process.execve !== undefined && canRun(SHELL)) process.execve(SHELL, ['sh', '-c', `exit ${code}`], {});
  return process.exit(code);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
