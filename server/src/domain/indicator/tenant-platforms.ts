/**
 * Platforms that give customers names below their own and are missing in the private section of the public suffix list.
 * Sources: the entries with a leading dot of lots-project.com, a list of trusted sites that attackers use, except those
 * whose names below belong to the operator; the operators' own pages; and platforms below which PhishTank named at least
 * three new hosts in the 90 days before 23 July 2026.
 */
export const TENANT_PLATFORMS: ReadonlySet<string> = new Set(
  `000webhostapp.com amazonaws.com asuscomm.com atlassian.net axshare.com backblazeb2.com bigcartel.com
  clickfunnels.com cloudapp.azure.com cloudwaysapps.com craftum.io crazydomains.com created.app ct.ws easywp.com
  ecwid.com edgeone.app edgeone.dev fleek.co free.nf freshdesk.com fwh.is ghost.io glitch.me godaddysites.com
  googleusercontent.com gt.tc helpscoutdocs.com hostingerapp.com hostingersite.com hstn.me hubspotpagebuilder.com
  iceiy.com infura-ipfs.io ispot.cc jimdo.com jimdosite.com liveblog365.com livejournal.com mooo.com mybluehost.me
  mybluemix.net myportfolio.com mystrikingly.com on.aws oraclecloud.com pagecloud.com rf.gd s-host.net
  sharepoint.com simdif.com squarespace.com substack.com systeme.io teachable.com tiiny.site tilda.ws tumblr.com
  typeform.com typepad.com ukit.me wasabisys.com webcindario.com webnode.page weebly.com weeblysite.com
  wordpress.com wuaze.com xo.je zapier.app zendesk.com zohosites.com zya.me`
    .trim()
    .split(/\s+/),
);
