import {
  drop,
  isCollection,
  isObjects,
  onStatus,
  type PlantedFault,
  planted,
  replying,
} from './planted-fault.ts';

export const SERVER_FAULTS: readonly PlantedFault[] = [
  planted(
    'discovery without a title',
    'discovery',
    replying(
      ({ path }) => path === '',
      ({ body }) => {
        delete body.title;
      },
    ),
  ),
  planted(
    'a default root that is not listed',
    'discovery-default',
    replying(
      ({ path }) => path === '',
      ({ body }) => {
        body.default = '/other/';
      },
    ),
  ),
  planted(
    'an API root without versions',
    'api-root',
    replying(
      ({ path }) => path === 'root',
      ({ body }) => {
        delete body.versions;
      },
    ),
  ),
  planted(
    'a collection listed twice',
    'collections',
    replying(
      ({ path }) => path === 'root/collections',
      ({ body }) => {
        body.collections = [body.collections, body.collections].flat();
      },
    ),
  ),
  planted(
    'a collection without can_write',
    'collection',
    replying(isCollection, ({ body }) => {
      delete body.can_write;
      delete body.media_types;
    }),
  ),
  planted(
    'a collection with two titles',
    'collection-agrees',
    replying(isCollection, ({ body }) => {
      body.title = 'Something else';
    }),
  ),
  planted(
    'plain JSON as media type',
    'media-type',
    replying(isObjects, ({ headers }) => {
      headers['content-type'] = 'application/json';
    }),
  ),
  planted(
    'the media type of TAXII 2.0',
    'media-type',
    replying(
      ({ path }) => path === 'root',
      ({ headers }) => {
        headers['content-type'] = 'application/vnd.oasis.taxii+json;version=2.0';
      },
    ),
  ),
  planted('paths without a slash only', 'trailing-slash', {
    reply: (reply, { hasSlash, path }) => {
      if (path === 'root/collections' && hasSlash) reply.status = 404;
    },
  }),
  planted('a page that fails', 'reachable', {
    reply: (reply, { path }) => {
      if (path.endsWith('/manifest')) reply.status = 500;
    },
  }),
  planted('an error in another media type', 'error-media-type', {
    reply: onStatus(400, ({ headers }) => {
      headers['content-type'] = 'text/html';
    }),
  }),
  planted('an error without a title', 'error-body', {
    reply: onStatus(404, ({ body }) => {
      delete body.title;
    }),
  }),
  planted('http_status as a number', 'error-body', {
    reply: onStatus(404, ({ body }) => {
      body.http_status = 404;
    }),
  }),
  planted('no challenge', 'challenge', { reply: onStatus(401, (reply) => drop(reply, 'www-authenticate')) }),
  planted('403 for a wrong credential', 'wrong-credentials', {
    reply: onStatus(401, (reply) => {
      reply.status = 403;
    }),
  }),
  planted('any token is taken', 'bad-next', {
    reply: (reply, { query }) => {
      if (query.get('next') === 'taxii-check') reply.status = 200;
    },
  }),
  planted('any date is taken', 'bad-filter', {
    reply: (reply, { query }) => {
      if (query.get('added_after') === 'yesterday') reply.status = 200;
    },
  }),
  planted('an unknown collection is empty', 'unknown-collection', {
    reply: (reply, { path }) => {
      if (reply.status === 404 && path.endsWith('c0ffee00-0000-4000-8000-000000000000/objects'))
        reply.status = 200;
    },
  }),
  planted('an unknown object is an empty page', 'unknown-object', {
    reply: (reply, { path }) => {
      if (reply.status === 404 && path.includes('indicator--c0ffee00')) reply.status = 200;
    },
  }),
  planted('no object by its id', 'get-object', {
    reply: (reply, { path }) => {
      if (/objects\/.+/.test(path)) reply.status = 404;
    },
  }),
  planted(
    'versions that are empty',
    'versions',
    replying(
      ({ path }) => path.endsWith('/versions'),
      ({ body }) => {
        body.versions = [];
      },
    ),
  ),
];
