#!/usr/bin/env node
import { startBridge } from './bridge.ts';
import type { LogLine } from './session.ts';
import { readSettings, SettingsError } from './settings.ts';

/** At a stop, messages that Postfix has handed over but not yet taken back get this long to finish. */
const STOP_MS = 60_000;

const log = (line: LogLine): void =>
  void process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);

// Mail goes on when nothing reads the log.
process.stdout.on('error', () => undefined);

try {
  const settings = readSettings(process.env);
  const bridge = await startBridge(settings, log);
  log({ event: 'listening', port: bridge.port, onFailure: settings.onFailure });
  const stop = (): void => {
    setTimeout(() => process.exit(1), STOP_MS).unref();
    void bridge.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  const message = error instanceof SettingsError ? error.message : String(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
