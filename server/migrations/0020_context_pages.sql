-- Why: the page of a source and the page of a malware family show their newest entries first (O58). Both are read along
-- an index; a source has up to a million entries and sorting them takes longer than a request may wait.
-- Size: rows of one merge have equal values and are stored once per page, 7 to 8 bytes a listing. For 5 M listings
-- listing_source has 35 MB (33 MB before); listing_family adds 11 MB for 1.4 M listings that name a family.
-- Lock: SHARE on listing while both are built, 35 s for 5 M listings on a machine with a load of 18 on two cores: merges
-- wait, callers do not. At the end ACCESS EXCLUSIVE for the change of names.
create index listing_family on listing (family, source_number, listed_from desc) where family is not null;

-- The same first column as before, so that merges read their source through it as they did.
create index listing_source_newest on listing (source_number, listed_from desc);
drop index listing_source;
alter index listing_source_newest rename to listing_source;
