import { z } from 'zod';
import { inertText } from '#domain/text/inert-text.ts';
import type { Otx } from '../contract-opinions.ts';
import { serviceUrl } from '../fetch-json.ts';
import { unreadable } from '../service-failure.ts';
import { utcTime } from './utc-time.ts';

type Pulse = Otx['pulses'][number];
export type General = Pick<Otx, 'pulseCount' | 'moreCount' | 'reputationScore' | 'pulses'> & {
  readonly countryName: string | null;
};

const PULSES_MAX = 10;
const TAGS_MAX = 30;
const REFERENCES_MAX = 20;
const PULSE_URL_MAX = 200;

const list = z.array(z.unknown()).catch([]);
const count = z.int().min(0);
const anything = z.unknown().optional();
const Told = z.object({
  pulse_info: z.object({ count: count.catch(0), pulses: z.array(z.unknown()).optional() }),
  reputation: z.number().nullable().catch(null),
  country_name: anything,
});
const ToldPulse = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  name: anything,
  description: anything,
  tags: list,
  TLP: anything,
  tlp: anything,
  modified: anything,
  references: list,
  author: z.object({ username: anything }).catch({ username: null }),
  subscriber_count: count.nullable().catch(null),
});

/** The newest pulses first. A malformed one is counted but not shown. */
export function readGeneral(called: string, baseUrl: string, json: unknown): General {
  const told = Told.safeParse(json);
  if (!told.success) throw unreadable(called);
  const { pulse_info: info, reputation } = told.data;
  const listed = info.pulses ?? [];
  const pulseCount = Math.max(info.count, listed.length);
  const pulses = listed
    .flatMap((each) => readPulse(baseUrl, each))
    .sort((a, b) => (b.modified ?? '').localeCompare(a.modified ?? ''))
    .slice(0, PULSES_MAX);
  return {
    pulseCount,
    moreCount: pulseCount - pulses.length,
    reputationScore: reputation,
    pulses,
    countryName: inertText(told.data.country_name, 100),
  };
}

function readPulse(baseUrl: string, json: unknown): readonly Pulse[] {
  const told = ToldPulse.safeParse(json);
  if (!told.success) return [];
  const pulse = told.data;
  const url = serviceUrl(baseUrl, `pulse/${pulse.id}`).href;
  return [
    {
      id: pulse.id,
      name: inertText(pulse.name, 300) ?? '',
      description: inertText(pulse.description, 1_000) ?? '',
      tags: inertTexts(pulse.tags, TAGS_MAX, 100),
      tlp: inertText(pulse.TLP ?? pulse.tlp, 20),
      modified: utcTime(pulse.modified),
      references: inertTexts(pulse.references, REFERENCES_MAX, 500),
      authorUsername: inertText(pulse.author.username, 100),
      subscriberCount: pulse.subscriber_count,
      pulseUrl: url.length > PULSE_URL_MAX ? '' : url,
    },
  ];
}

export const inertTexts = (values: readonly unknown[], most: number, longest: number): string[] => [
  ...new Set(values.slice(0, most).flatMap((value) => inertText(value, longest) ?? [])),
];
