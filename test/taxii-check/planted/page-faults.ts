import {
  drop,
  hasFilter,
  isManifest,
  isObjects,
  isPage,
  listOf,
  type PlantedFault,
  planted,
  replying,
} from './planted-fault.ts';
import type { SmallRecord } from './small-objects.ts';
import type { Fault } from './small-server.ts';

export const PAGE_FAULTS: readonly PlantedFault[] = [
  planted(
    'no date headers',
    'date-header',
    replying(isObjects, (reply) => {
      drop(reply, 'x-taxii-date-added-first');
      drop(reply, 'x-taxii-date-added-last');
    }),
  ),
  planted(
    'the last date of another page',
    'date-header-value',
    replying(isObjects, ({ headers }) => {
      headers['x-taxii-date-added-last'] = '2026-12-31T00:00:00.000000Z';
    }),
  ),
  planted(
    'dates in the form of a mail',
    'timestamp',
    replying(isPage, ({ headers }) => {
      headers['x-taxii-date-added-last'] = 'Thu Feb 20 2020 22:10:20 GMT+0000';
    }),
  ),
  planted(
    'dates with three digits',
    'timestamp',
    replying(isPage, ({ headers }) => {
      headers['x-taxii-date-added-first'] = headers['x-taxii-date-added-first']?.replace('000Z', 'Z') ?? '';
      headers['x-taxii-date-added-first'] = headers['x-taxii-date-added-first'].replace(
        /\.(\d{3})\d*Z/,
        '.$1Z',
      );
    }),
  ),
  planted('newest first', 'order', { choose: (chosen) => chosen.toReversed() }),
  planted('pages larger than the limit', 'limit', {
    pageSize: (limit) => (limit === 4 ? 5 : limit),
  }),
  planted('added_after with the date itself', 'added-after-exclusive', {
    choose: (_chosen, all, { query }) => inclusively(all, query),
  }),
  planted('added_after that forgets the oldest', 'added-after-loses', {
    choose: (chosen, _all, { query }) => (query.has('added_after') ? chosen.slice(1) : chosen),
  }),
  planted('match[type] is ignored', 'match-type', ignoring('type')),
  planted('match[id] is ignored', 'match-id', {
    choose: (chosen, all, { query }) =>
      hasFilter(query, 'id') && !hasFilter(query, 'version') ? [...all] : chosen,
  }),
  planted('match[version] is ignored', 'match-version', {
    choose: (chosen, all, { query }) =>
      hasFilter(query, 'version') ? all.filter(({ object }) => object.id === query.get('match[id]')) : chosen,
  }),
  planted('match[spec_version] is ignored', 'match-spec-version', ignoring('spec_version')),
  planted('more without next', 'more-next', {
    reply: (reply, { path, query }) => {
      if (path.endsWith('/objects') && query.has('added_after')) delete reply.body.next;
    },
  }),
  planted(
    'next on the last page',
    'more-next',
    replying(isObjects, ({ body }) => {
      body.next ??= 'at-4';
    }),
  ),
  planted(
    'headers that tell another next',
    'paging-header',
    replying(isObjects, ({ headers }) => {
      headers['x-taxii-has-more'] = 'maybe';
    }),
  ),
  planted(
    'a last page that leads to the first',
    'walk-ends',
    replying(
      ({ path, query }) => path.endsWith('/manifest') && query.size === 2 && query.get('next') === 'at-9',
      ({ body }) => {
        body.more = true;
        body.next = 'at-9';
      },
    ),
  ),
  planted('an object at the end of one page and the start of the next', 'walk-doubles', {
    nextOffset: (end) => end - 1,
  }),
  planted('an object between two pages is lost', 'walk-loses', {
    nextOffset: (end, { path, query }) =>
      path.endsWith('/objects') && query.size === 1 && end === 4 ? 5 : end,
  }),
  planted(
    'a token that works once',
    'token-repeats',
    replying(
      ({ path, query, times }) =>
        path.endsWith('/objects') && query.has('next') && times === 2 && query.size === 2,
      (reply) => {
        reply.body.objects = listOf(reply).slice(1);
      },
    ),
  ),
  planted(
    'objects that are no list',
    'envelope',
    replying(isObjects, ({ body }) => {
      body.objects = {};
    }),
  ),
];

export const MANIFEST_FAULTS: readonly PlantedFault[] = [
  planted(
    'a manifest record without a version',
    'manifest-record',
    replying(isManifest, (reply) => {
      for (const record of listOf(reply))
        if (String(record.id).startsWith('ipv4-addr')) delete record.version;
    }),
  ),
  planted('a manifest with an object too many', 'manifest-agrees', {
    choose: (chosen, _all, { path }) =>
      path.endsWith('/objects') ? chosen.filter(({ object }) => object.type !== 'url') : chosen,
  }),
  planted(
    'a manifest with an old version',
    'manifest-version',
    replying(isManifest, (reply) => {
      for (const record of listOf(reply))
        if (String(record.id).startsWith('malware')) record.version = '2026-01-01T00:00:00.000Z';
    }),
  ),
  planted('a manifest dated by the clock', 'redated', redating(), { twice: true }),
];

function ignoring(name: string): Fault {
  return { choose: (chosen, all, { query }) => (hasFilter(query, name) ? [...all] : chosen) };
}

/** Filters correctly, except that `added_after` includes objects of exactly that date. */
function inclusively(all: readonly SmallRecord[], query: URLSearchParams): SmallRecord[] {
  const kept = (name: string, value: unknown): boolean =>
    (query.get(`match[${name}]`) ?? String(value)) === String(value);
  return all.filter(
    ({ object, dateAdded }) =>
      dateAdded >= (query.get('added_after') ?? '') &&
      kept('type', object.type) &&
      kept('id', object.id) &&
      kept('spec_version', object.spec_version) &&
      ['last', object.modified, null].includes(query.get('match[version]')),
  );
}

/** Gives every object a new date from the second walk on. */
function redating(): Fault {
  let isLate = false;
  return {
    choose: (chosen, _all, { path, query, times }) => {
      isLate ||= path.endsWith('/manifest') && query.get('limit') === '9' && times > 1;
      if (!isLate) return chosen;
      return chosen.map((record) => ({
        ...record,
        dateAdded: record.dateAdded.replace('.000500Z', '.000600Z'),
      }));
    },
  };
}
