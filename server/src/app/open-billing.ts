import { type BillingProvider, openStripe } from '#capabilities/billing/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Outbound } from '#platform/outbound.ts';

/** Opens the payment provider. Null without one: then operators assign plans. */
export function openBillingProvider(
  config: Config,
  clock: Clock,
  outbound: Outbound,
): BillingProvider | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config;
  if (secretKey === undefined || webhookSecret === undefined) return null;
  return openStripe({
    clock,
    outbound,
    apiUrl: config.STRIPE_API_URL,
    secretKey,
    webhookSecret,
    prices: config.STRIPE_PRICES,
    returnUrl: new URL('/app/usage', config.PUBLIC_WEB_URL).href,
  });
}
