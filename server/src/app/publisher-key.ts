import type { Config } from '#platform/config.ts';

/** Publisher keys are declared variables; the catalogue refers to them by name. */
export function publisherKeyOf(config: Config, env: string): string | undefined {
  const value: unknown = Object.hasOwn(config, env) ? config[env as keyof Config] : undefined;
  return typeof value === 'string' ? value : undefined;
}
