import { changedSettings } from '#platform/changed-settings.ts';
import { loadConfig } from '#platform/config.ts';

/** Prints the configuration of this process, for tests that read back what an environment sets. */
const config = loadConfig();
const plain = { ...config, STRIPE_PRICES: Object.fromEntries(config.STRIPE_PRICES) };
process.stdout.write(JSON.stringify({ config: plain, changed: changedSettings() }));
