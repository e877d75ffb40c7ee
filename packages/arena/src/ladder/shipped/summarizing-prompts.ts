import { type ShippedPrompt, text } from "./shipped-prompt.ts";

const category = "summarizing";

export const summarizingPrompts: ShippedPrompt[] = [
  {
    external_id: "agon-summarizing-01",
    category,
    prompt: text`
      Summarize this report for members of a town council who have one minute. Three points of at most 25 words
      each, then one line: what they are asked to decide, and by when. Keep the numbers that matter.

      "Since last September the branch library in the Westend has been open without staff on weekday evenings
      from six to ten and on Sundays. Members over 16 open the door with their card; four cameras and a person
      on call take the place of the desk. In the eight months to the end of April, 11,300 visits fell into these
      hours, of 39,800 in all. A year earlier there had been 31,200 visits in the same eight months. A third of
      the evening visitors had not used any branch in the year before. Lending rose less than visits did, by
      six per cent; most evening visitors come to read and to work. There were 14 incidents, eleven of them
      noise; one laptop was stolen, and on two evenings in December young people were asked to leave by the
      person on call. The staff, who were sceptical at first, ask for one change: returns pile up overnight
      and cost them the first hour of the morning, so they would like a sorting machine (28,000 euros, once).
      The trial costs 3,100 euros a month. It ends on 31 August. To extend it to the branch at Nordpark as well,
      doors have to be ordered by 15 June, at 19,500 euros. A majority of both branch advisory boards is in
      favour; the board at Nordpark has concerns about the dark path to its entrance."
    `,
  },
  {
    external_id: "agon-summarizing-02",
    category,
    prompt: text`
      From this exchange, list (1) what was decided, (2) who does what by when, (3) what is still open. Leave
      out everything else. Where someone changed their mind, only the last word counts.

      Sam: The printer wants the final files on Friday, otherwise we lose the slot.
      Yuki: Friday is tight. I could do it if we drop the map.
      Sam: I would rather keep the map and drop the interview.
      Omar: The interview is the best thing in the issue!
      Yuki: Then the map could move to the inside cover, I only need the new street names.
      Sam: Fine, the interview stays, the map goes inside. Omar, the street names?
      Omar: From the land office. I'll call them tomorrow.
      Sam: Good. Print run as last time, 800?
      Yuki: We threw away 150 last time.
      Sam: Then 650. No, wait, the school asked for a class set. 700.
      Omar: Does anybody know what the school pays?
      Sam: No idea. Let's ask. Not today, though.
      Omar: The land office is closed tomorrow, I see. I'll call on Wednesday.
      Yuki: Wednesday is fine, but before noon.
      Sam: And who reads the proofs? I can't, I'm away on Thursday.
      Yuki: I can't proofread my own pages.
      Omar: Let me see whether Lena has time.
    `,
    reference:
      "Interview stays, map on the inside cover, 700 copies. Omar: street names by Wednesday noon. Open: price for the school, proofreader.",
  },
  {
    external_id: "agon-summarizing-03",
    category,
    prompt: text`
      These are the notes of the developers for version 4.0 of an app in which people record birds that they
      have seen. Write what the people who use it should read before they update: at most 90 words, what they
      have to do first, then what they gain, nothing that they cannot notice.

      - BREAKING: sightings now need a location; old ones without get the centre of their region on first start
        (takes about a minute, phone must be online, cannot be undone; export before updating if unwanted)
      - BREAKING: dropped support for Android 8 and older
      - feat: identify by sound, 340 species, works offline after a download of 210 MB
      - feat: lists can be shared by link, link can be withdrawn
      - fix: photos were stored in half resolution (since 3.6); cannot be repaired for old photos
      - fix: crash when the system language is Basque
      - perf: start-up 40 per cent faster on slow phones
      - refactor: moved database layer to the new driver
      - chore: bumped 31 dependencies; removed analytics library (we no longer count which screens are opened)
    `,
  },
  {
    external_id: "agon-summarizing-04",
    category,
    prompt: text`
      Give this paragraph a headline of at most eight words, then retell it in a single sentence of at most 30
      words that a twelve-year-old understands, and finally name the one claim in it that you would check first
      before printing it.

      "Swifts sleep in the air. Outside the weeks in which they breed, many of them do not land for ten months
      on end, as small recorders on their backs have shown. At dusk they rise to two or three thousand metres,
      and researchers believe that they doze on the way down again, perhaps with one half of the brain at a
      time, as some ducks and dolphins do; nobody has measured the brain of a swift in flight, because the
      instrument would be too heavy for a bird of forty grams. What is certain is that the same birds come back
      to the same crack in the same wall. In our town, where every second façade has been insulated in the last
      ten years, the number of breeding pairs has fallen from 212 to 90. A nest box costs about as much as one
      square metre of insulation. The new building rules, which the council will vote on in autumn, demand one
      for every ten metres of eaves; the owners' association calls this excessive."
    `,
  },
];
