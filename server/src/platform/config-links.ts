import { z } from 'zod';

const page = (what: string) =>
  z
    .string()
    .max(2_048)
    .refine((text) => {
      const url = URL.parse(text);
      return url?.protocol === 'https:' && url.username === '' && url.password === '';
    }, 'expected an https URL without credentials')
    .optional()
    .describe(what);

/** Pages of the operator that an error leads to. The service has none of its own, so without them no link is sent. */
export const LINKS_ENVIRONMENT = {
  PRICING_URL: page(
    'Page with the plans, as an https URL. The answer to an account whose scans are used up links to it, with the plan as ?plan=. Default: no link.',
  ),
  CONTACT_URL: page(
    'Page where a customer asks for a quote, as an https URL, linked with ?topic=scans. Default: no link.',
  ),
} as const;
