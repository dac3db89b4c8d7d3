/** A rule of a standard that an answer can break: the section that holds it, and the rule in our own words. */
export type Clause = {
  readonly standard: 'TAXII 2.1' | 'STIX 2.1';
  readonly section: string;
  readonly words: string;
};

const taxii = (section: string, words: string): Clause => ({ standard: 'TAXII 2.1', section, words });
const stix = (section: string, words: string): Clause => ({ standard: 'STIX 2.1', section, words });

/** Every rule that the check knows. docs/guides/taxii-check.md shows this table; a test compares the two. */
export const CLAUSES = {
  reachable: taxii('3.1', 'A resource that the server names answers 200 to a caller who may read it.'),
  json: taxii('1.6.7', 'A body is one JSON object.'),
  'media-type': taxii('3.2', 'A TAXII answer has Content-Type: application/taxii+json;version=2.1.'),
  'trailing-slash': taxii('3.1', 'Every path answers with a slash at its end.'),
  timestamp: taxii('2', 'A TAXII timestamp is RFC 3339 in UTC with Z and six digits after the point.'),
  'date-header': taxii('3.2', 'A page with objects has X-TAXII-Date-Added-First and -Last.'),
  'date-header-value': taxii(
    '3.2',
    'The two headers are the dates of the first and the last object of the page.',
  ),
  order: taxii('3.3', 'Objects and manifest are sorted by date added, oldest first.'),
  limit: taxii('3.4', 'A page has at most as many objects as the limit that was asked for.'),
  'added-after-exclusive': taxii(
    '3.4',
    'added_after leaves out what was added at that very moment or earlier.',
  ),
  'added-after-loses': taxii('3.4', 'added_after returns everything that was added later.'),
  'match-type': taxii('3.4', 'match[type] returns the objects of that type, all of them and no other.'),
  'match-id': taxii('3.4', 'match[id] returns the object with that id and no other.'),
  'match-version': taxii('3.4', 'match[version] returns that version; without it the last one is returned.'),
  'match-spec-version': taxii(
    '3.4',
    'match[spec_version] returns objects of that version of STIX and no other.',
  ),
  'bad-filter': taxii('3.4', 'A filter that cannot be read is answered with 400.'),
  'bad-next': taxii('3.4', 'A next token that the server did not make is answered with 400.'),
  'more-next': taxii('3.7', 'A page has a next token exactly when more is true.'),
  'paging-header': taxii(
    '3.7',
    'Where X-TAXII-Has-More and X-TAXII-Next are sent, they agree with the body.',
  ),
  'walk-ends': taxii('3.5', 'Following next comes to a page without more.'),
  'walk-doubles': taxii('3.5', 'A walk shows no version of an object twice.'),
  'walk-loses': taxii('3.5', 'A walk shows every object, whatever the size of its pages.'),
  'token-repeats': taxii('3.5', 'A token that is sent again gives the same page again.'),
  'modes-agree': taxii('3.2', 'The same collection holds the same objects in every media type.'),
  'error-body': taxii('3.6.1', 'An error is a TAXII error message with a title, and http_status as text.'),
  'error-media-type': taxii('3.6', 'An error message has the TAXII media type.'),
  'wrong-credentials': taxii('1.6.9', 'A wrong or missing credential is answered with 401.'),
  challenge: taxii('1.6.9', 'An answer 401 has a WWW-Authenticate header.'),
  discovery: taxii('4.1.1', 'The discovery resource has a title and a list of API roots.'),
  'discovery-default': taxii('4.1.1', 'The default API root is one of the API roots.'),
  'api-root': taxii('4.2.1', 'An API root has title, versions with TAXII 2.1, and max_content_length.'),
  collections: taxii('5.1.1', 'The list of collections holds collection resources, each id once.'),
  collection: taxii('5.2.1', 'A collection has id, title, can_read and can_write.'),
  'collection-agrees': taxii('5.2', 'A collection is the same by itself and in the list.'),
  'unknown-collection': taxii('5.2', 'A collection that does not exist is answered with 404.'),
  'manifest-record': taxii('5.3.1', 'A manifest record has id, date_added and version.'),
  'manifest-agrees': taxii('5.3', 'The manifest names exactly the objects of the same query.'),
  'manifest-version': taxii('5.3.1', 'The version in a manifest is the modified date of the object.'),
  redated: taxii('5.3.1', 'The date added of an unchanged object stays as it is.'),
  envelope: taxii('3.7', 'A page of objects is an envelope whose objects are a list.'),
  'get-object': taxii('5.6', 'An object that a collection lists can be asked for by its id.'),
  'unknown-object': taxii('5.6', 'An object that does not exist is answered with 404.'),
  versions: taxii('5.8.1', 'The versions of an object are a list that has its last version.'),
  'stix-type': stix('3.1', 'A type is 3 to 250 small letters, digits and hyphens.'),
  'stix-id': stix('2.9', 'An id is the type of its object, two hyphens and a UUID.'),
  'stix-property-name': stix('3.1', 'A property name is 3 to 250 small letters, digits and underscores.'),
  'stix-spec-version': stix('3.2', 'spec_version is 2.1, and only observables may leave it out.'),
  'stix-required': stix('3.2, 4-7', 'An object has the properties that its type requires.'),
  'stix-value': stix('2, 4-7', 'A property has the type and the form that the standard gives it.'),
  'stix-empty': stix('2.11', 'A list that is present is not empty.'),
  'stix-timestamp': stix(
    '2.16',
    'A timestamp is RFC 3339 in UTC with Z; created and modified have three digits or more.',
  ),
  'stix-created-modified': stix('3.2', 'An object is not modified before it is created.'),
  'stix-valid-range': stix('4.7', 'valid_until is later than valid_from.'),
  'stix-observed-range': stix(
    '4.14',
    'last_observed is not before first_observed, and number_observed is 1 or more.',
  ),
  'stix-pattern': stix('9', 'A pattern of the type stix follows the grammar of STIX patterns.'),
  'stix-sco-id': stix(
    '2.9',
    'A name-based id of an observable is made from its properties in the OASIS namespace.',
  ),
  'stix-reference': stix('2.9', 'A reference is an id of a type that the property allows.'),
  'stix-observed-refs': stix('4.14', 'The observables of observed data are in the collection with it.'),
  'stix-version-twice': stix('3.6', 'Two objects with the same id and the same modified date are the same.'),
  'stix-created-kept': stix('3.6', 'A later version of an object keeps created, and its modified is later.'),
  'stix-revoked': stix('3.6', 'A revoked object never comes back with the same id.'),
  'stix-bundle': stix('8', 'A bundle has the type bundle and an id of that type.'),
  'client-opencti': taxii('3.5', 'OpenCTI reads the collection once, whole, and continues where it stopped.'),
  'client-sentinel': taxii(
    '3.5',
    'Microsoft Sentinel reads the collection once, whole, and continues where it stopped.',
  ),
  'client-splunk': taxii('3.5', 'Splunk reads the collection once, whole, and continues where it stopped.'),
  'client-elastic': taxii(
    '3.5',
    'Elastic Agent reads the collection once, whole, and continues where it stopped.',
  ),
  'client-misp': taxii('3.5', 'A program with the OASIS Python client reads the collection once and whole.'),
} as const satisfies Readonly<Record<string, Clause>>;

export type ClauseId = keyof typeof CLAUSES;

/** What a server does beyond or beside the standard without harm to clients; never a violation. */
export const NOTES = {
  'collection-slug': 'The id of a collection is a name and not a UUID; clients take it as it is.',
  'bundle-envelope': 'A page is a STIX bundle with more and next, where the standard has an envelope.',
  'stix-mode': 'Other Accept headers get application/stix+json, which the standard answers with 406.',
  'stix-mode-order': 'In STIX mode the newest object comes first.',
  'identity-on-every-page': 'An identity leads every page, so that each page stands alone.',
  'limit-counts-observed-data': 'The limit counts observed data; their observables come on top.',
  'read-only-root': 'max_content_length is 0, where the standard wants more: nothing can be written.',
  'object-by-id': 'Only some objects can be asked for by id.',
  'polls-see-more': 'A query with added_after returns objects that a walk without it leaves out.',
  'without-slash': 'Paths answer only with a slash at their end.',
  'sco-random-id': 'An observable has a random id, so that the same observable of two servers differs.',
  'external-reference': 'A reference leads out of the collection.',
  'unknown-type': 'A type is not defined by STIX 2.1; only its common properties are judged.',
  'other-pattern-language': 'A pattern of another language than stix is not judged.',
  'other-origin': 'An API root is on another host and is not asked: the credential belongs to this one.',
  'stopped-early': 'The walk stopped at --max-pages, so that rules about whole collections are not judged.',
  'no-credential': 'No credential was given, so that wrong ones are not tried.',
  'no-basic': 'No --user was given, so that clients sent the header instead of HTTP Basic.',
  'changed-meanwhile': 'Objects changed between two walks; --twice judges those that did not.',
  'opencti-milliseconds':
    'OpenCTI keeps milliseconds of a date and reads the last objects again at each poll.',
} as const satisfies Readonly<Record<string, string>>;

export type NoteId = keyof typeof NOTES;
