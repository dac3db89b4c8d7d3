/**
 * Platforms that give customers names below their own and are missing in the private section of the public suffix list.
 * Sources: the entries with a leading dot of lots-project.com, a list of trusted sites that attackers use, except those
 * whose names below belong to the operator; and the operators' own pages.
 */
export const TENANT_PLATFORMS: ReadonlySet<string> = new Set(
  `000webhostapp.com amazonaws.com atlassian.net axshare.com backblazeb2.com bigcartel.com clickfunnels.com
  cloudapp.azure.com cloudwaysapps.com easywp.com ecwid.com fleek.co freshdesk.com glitch.me godaddysites.com
  googleusercontent.com helpscoutdocs.com hostingerapp.com hubspotpagebuilder.com jimdo.com livejournal.com mybluehost.me
  mybluemix.net myportfolio.com mystrikingly.com on.aws oraclecloud.com pagecloud.com rf.gd
  sharepoint.com substack.com teachable.com tumblr.com typeform.com typepad.com wasabisys.com weebly.com wordpress.com
  zendesk.com zohosites.com`
    .trim()
    .split(/\s+/),
);
