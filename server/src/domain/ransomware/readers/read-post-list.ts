import { fieldOf, itemsOf } from '#domain/text/foreign-json.ts';
import { type Post, type ReadRows, readEach, readPost } from './post.ts';

export const ROWS_MAX = 200_000;

/**
 * Posts as JSON, in the fields of ransomwatch (`post_title`, `group_name`), of ransomware.live before its second version
 * (`website`, `activity`) and after it (`victim`, `group`, `domain`, `attackdate`, `claim_url`), and of RansomLook (`link`).
 * `published` is not taken for the date of the attack: it is when the leak site shows the post.
 */
export function readPostList(document: unknown): ReadRows<Post> {
  const list = Array.isArray(document) ? document : fieldOf(document, 'victims');
  return readEach(itemsOf(list, ROWS_MAX), (item) =>
    readPost({
      title: fieldOf(item, 'post_title') ?? fieldOf(item, 'victim'),
      group: fieldOf(item, 'group_name') ?? fieldOf(item, 'group'),
      discovered: fieldOf(item, 'discovered'),
      attacked: fieldOf(item, 'attackdate'),
      country: fieldOf(item, 'country'),
      activity: fieldOf(item, 'activity'),
      website: fieldOf(item, 'website') ?? fieldOf(item, 'domain'),
      description: fieldOf(item, 'description'),
      url: fieldOf(item, 'post_url') ?? fieldOf(item, 'claim_url'),
    }),
  );
}
