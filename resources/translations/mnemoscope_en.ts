<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_GB" sourcelanguage="en_GB">
<context>
    <name>AbandonedMemoryOffer</name>
    <message numerus="yes">
        <source>%n entries taken out of the history.</source>
        <translation>
            <numerusform>%n entry taken out of the history.</numerusform>
            <numerusform>%n entries taken out of the history.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n history entries tell of other messages too; what memory learnt from those stays.</source>
        <translation>
            <numerusform>%n history entry tells of other messages too; what memory learnt from those stays.</numerusform>
            <numerusform>%n history entries tell of other messages too; what memory learnt from those stays.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n history entries tell of them alone.</source>
        <translation>
            <numerusform>%n history entry tells of them alone.</numerusform>
            <numerusform>%n history entries tell of them alone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n history entries tell of them and stay in the log.</source>
        <translation>
            <numerusform>%n history entry tells of them and stays in the log.</numerusform>
            <numerusform>%n history entries tell of them and stay in the log.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines of SESSION-STATE.md are no longer sent.</source>
        <translation>
            <numerusform>%n line of SESSION-STATE.md is no longer sent.</numerusform>
            <numerusform>%n lines of SESSION-STATE.md are no longer sent.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines of {file}:</source>
        <translation>
            <numerusform>%n line of {file}:</numerusform>
            <numerusform>%n lines of {file}:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines taken out of memory.</source>
        <translation>
            <numerusform>%n line taken out of memory.</numerusform>
            <numerusform>%n lines taken out of memory.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines that Dream made of them and of other entries stay.</source>
        <translation>
            <numerusform>%n line that Dream made of them and of other entries stays.</numerusform>
            <numerusform>%n lines that Dream made of them and of other entries stay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals made of them wait for review.</source>
        <translation>
            <numerusform>%n proposal made of them waits for review.</numerusform>
            <numerusform>%n proposals made of them wait for review.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals that wait for review tell of other messages too.</source>
        <translation>
            <numerusform>%n proposal that waits for review tells of other messages too.</numerusform>
            <numerusform>%n proposals that wait for review tell of other messages too.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals withdrawn.</source>
        <translation>
            <numerusform>%n proposal withdrawn.</numerusform>
            <numerusform>%n proposals withdrawn.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Lines of %n proposals that wait for review rest on them alone.</source>
        <translation>
            <numerusform>Lines of %n proposal that waits for review rest on them alone.</numerusform>
            <numerusform>Lines of %n proposals that wait for review rest on them alone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take %n history entries back</source>
        <translation>
            <numerusform>Take %n history entry back</numerusform>
            <numerusform>Take %n history entries back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take %n lines back</source>
        <translation>
            <numerusform>Take %n line back</numerusform>
            <numerusform>Take %n lines back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take all back with %n shared proposals</source>
        <translation>
            <numerusform>Take all back with %n shared proposal</numerusform>
            <numerusform>Take all back with %n shared proposals</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Withdraw %n proposals</source>
        <translation>
            <numerusform>Withdraw %n proposal</numerusform>
            <numerusform>Withdraw %n proposals</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Withdraw %n shared proposals</source>
        <translation>
            <numerusform>Withdraw %n shared proposal</numerusform>
            <numerusform>Withdraw %n shared proposals</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AnswerReceipt</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines of memory</source>
        <translation>
            <numerusform>%n line of memory</numerusform>
            <numerusform>%n lines of memory</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n note</numerusform>
            <numerusform>%n notes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AnswerReceiptDialog</name>
    <message numerus="yes">
        <source>%n of them are not shown, and the answer may rest on them: they were forgotten since.</source>
        <translation>
            <numerusform>%n of them is not shown, and the answer may rest on it: it was forgotten since.</numerusform>
            <numerusform>%n of them are not shown, and the answer may rest on them: they were forgotten since.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CaptureDialog</name>
    <message numerus="yes">
        <source>%n marks not followed</source>
        <translation>
            <numerusform>%n mark not followed</numerusform>
            <numerusform>%n marks not followed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Conflicts</name>
    <message numerus="yes">
        <source>%n passages changed on both sides.</source>
        <translation>
            <numerusform>%n passage changed on both sides.</numerusform>
            <numerusform>%n passages changed on both sides.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CostsModel</name>
    <message numerus="yes">
        <source>in %n prompts, last {day}</source>
        <translation>
            <numerusform>in %n prompt, last {day}</numerusform>
            <numerusform>in %n prompts, last {day}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>likely used in %n answers</source>
        <translation>
            <numerusform>likely used in %n answer</numerusform>
            <numerusform>likely used in %n answers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Deletions</name>
    <message numerus="yes">
        <source>%n conversations were moved to the trash.</source>
        <translation>
            <numerusform>%n conversation was moved to the trash.</numerusform>
            <numerusform>%n conversations were moved to the trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations were restored.</source>
        <translation>
            <numerusform>%n conversation was restored.</numerusform>
            <numerusform>%n conversations were restored.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stay in the trash:</source>
        <translation>
            <numerusform>%n stays in the trash:</numerusform>
            <numerusform>%n stay in the trash:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiscretionController</name>
    <message numerus="yes">
        <source>“{name}” and %n more are kept nowhere. Close them?</source>
        <translation>
            <numerusform>“{name}” and %n more are kept nowhere. Close them?</numerusform>
            <numerusform>“{name}” and %n more are kept nowhere. Close them?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Dream</name>
    <message numerus="yes">
        <source>%n entries waiting</source>
        <translation>
            <numerusform>%n entry waiting</numerusform>
            <numerusform>%n entries waiting</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DreamController</name>
    <message numerus="yes">
        <source>%n entries still wait; Run now goes on.</source>
        <translation>
            <numerusform>%n entry still waits; Run now goes on.</numerusform>
            <numerusform>%n entries still wait; Run now goes on.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries that Dream has not read stay in HISTORY.md, and are not dreamed.</source>
        <translation>
            <numerusform>%n entry that Dream has not read stays in HISTORY.md, and is not dreamed.</numerusform>
            <numerusform>%n entries that Dream has not read stay in HISTORY.md, and are not dreamed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportController</name>
    <message numerus="yes">
        <source>%n conversations were exported.</source>
        <translation>
            <numerusform>%n conversation was exported.</numerusform>
            <numerusform>%n conversations were exported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be:</source>
        <translation>
            <numerusform>%n could not be:</numerusform>
            <numerusform>%n could not be:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message numerus="yes">
        <source>%n selected conversations</source>
        <translation>
            <numerusform>%n selected conversation</numerusform>
            <numerusform>%n selected conversations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected messages</source>
        <translation>
            <numerusform>%n selected message</numerusform>
            <numerusform>%n selected messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileChips</name>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileTabs</name>
    <message numerus="yes">
        <source>%n proposals waiting for review</source>
        <translation>
            <numerusform>%n proposal waiting for review</numerusform>
            <numerusform>%n proposals waiting for review</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FindingsModel</name>
    <message numerus="yes">
        <source>%n lines without a known source</source>
        <translation>
            <numerusform>%n line without a known source</numerusform>
            <numerusform>%n lines without a known source</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FoldedBars</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ForeignConversationView</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n records of a kind that is not known here</source>
        <translation>
            <numerusform>%n record of a kind that is not known here</numerusform>
            <numerusform>%n records of a kind that is not known here</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n subagents</source>
        <translation>
            <numerusform>%n subagent</numerusform>
            <numerusform>%n subagents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of the first %n only some are still sent</source>
        <translation>
            <numerusform>of the first %n only some are still sent</numerusform>
            <numerusform>of the first %n only some are still sent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>summed up %n times</source>
        <translation>
            <numerusform>summed up %n time</numerusform>
            <numerusform>summed up %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the first %n are no longer sent</source>
        <translation>
            <numerusform>the first %n is no longer sent</numerusform>
            <numerusform>the first %n are no longer sent</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ForgettingDialog</name>
    <message numerus="yes">
        <source>%n places</source>
        <translation>
            <numerusform>%n place</numerusform>
            <numerusform>%n places</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ForgettingReceiptsDialog</name>
    <message numerus="yes">
        <source>%n files with {bytes} bytes were searched afterwards.</source>
        <translation>
            <numerusform>%n file with {bytes} bytes was searched afterwards.</numerusform>
            <numerusform>%n files with {bytes} bytes were searched afterwards.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n places</source>
        <translation>
            <numerusform>%n place</numerusform>
            <numerusform>%n places</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n places have the words still: they are named below, with the reason.</source>
        <translation>
            <numerusform>%n place has the words still: it is named below, with the reason.</numerusform>
            <numerusform>%n places have the words still: they are named below, with the reason.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthPane</name>
    <message numerus="yes">
        <source>%n answers of {days} are kept.</source>
        <translation>
            <numerusform>%n answer of {days} is kept.</numerusform>
            <numerusform>%n answers of {days} are kept.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n in doubt</source>
        <translation>
            <numerusform>%n in doubt</numerusform>
            <numerusform>%n in doubt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n never used</source>
        <translation>
            <numerusform>%n never used</numerusform>
            <numerusform>%n never used</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not sent</source>
        <translation>
            <numerusform>%n not sent</numerusform>
            <numerusform>%n not sent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of a task</source>
        <translation>
            <numerusform>%n of a task</numerusform>
            <numerusform>%n of a task</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n out of date</source>
        <translation>
            <numerusform>%n out of date</numerusform>
            <numerusform>%n out of date</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n said twice</source>
        <translation>
            <numerusform>%n said twice</numerusform>
            <numerusform>%n said twice</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without a source</source>
        <translation>
            <numerusform>%n without a source</numerusform>
            <numerusform>%n without a source</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{all} tokens of memory in %n prompts of {days}</source>
        <translation>
            <numerusform>{all} tokens of memory in %n prompt of {days}</numerusform>
            <numerusform>{all} tokens of memory in %n prompts of {days}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportController</name>
    <message numerus="yes">
        <source>%n conversations were imported from {assistant}.</source>
        <translation>
            <numerusform>%n conversation was imported from {assistant}.</numerusform>
            <numerusform>%n conversations were imported from {assistant}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories wait for your review.</source>
        <translation>
            <numerusform>%n memory waits for your review.</numerusform>
            <numerusform>%n memories wait for your review.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n went on here and stayed.</source>
        <translation>
            <numerusform>%n went on here and stayed.</numerusform>
            <numerusform>%n went on here and stayed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The import was taken back: %n conversations are in the trash.</source>
        <translation>
            <numerusform>The import was taken back: %n conversation is in the trash.</numerusform>
            <numerusform>The import was taken back: %n conversations are in the trash.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message numerus="yes">
        <source>%n conversations of subagents or of its archive stay there.</source>
        <translation>
            <numerusform>%n conversation of a subagent or of its archive stays there.</numerusform>
            <numerusform>%n conversations of subagents or of its archive stay there.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations went on there and are replaced.</source>
        <translation>
            <numerusform>%n conversation went on there and is replaced.</numerusform>
            <numerusform>%n conversations went on there and are replaced.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories would wait for your review.</source>
        <translation>
            <numerusform>%n memory would wait for your review.</numerusform>
            <numerusform>%n memories would wait for your review.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages.</source>
        <translation>
            <numerusform>%n message.</numerusform>
            <numerusform>%n messages.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new conversations from {assistant},</source>
        <translation>
            <numerusform>%n new conversation from {assistant},</numerusform>
            <numerusform>%n new conversations from {assistant},</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n went on or were deleted here and are left alone.</source>
        <translation>
            <numerusform>%n went on or was deleted here and is left alone.</numerusform>
            <numerusform>%n went on or were deleted here and are left alone.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LeftOutPage</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ManualWindow</name>
    <message numerus="yes">
        <source>%n places found</source>
        <translation>
            <numerusform>%n place found</numerusform>
            <numerusform>%n places found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Memory</name>
    <message numerus="yes">
        <source>+%n facts</source>
        <translation>
            <numerusform>+%n fact</numerusform>
            <numerusform>+%n facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>−%n facts</source>
        <translation>
            <numerusform>−%n fact</numerusform>
            <numerusform>−%n facts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryController</name>
    <message numerus="yes">
        <source>%n facts of this entry are not in memory in these words any more.</source>
        <translation>
            <numerusform>%n fact of this entry is not in memory in these words any more.</numerusform>
            <numerusform>%n facts of this entry are not in memory in these words any more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MessageDeletionController</name>
    <message numerus="yes">
        <source>%n messages were deleted. They can be brought back until you close this.</source>
        <translation>
            <numerusform>%n message was deleted. It can be brought back until you close this.</numerusform>
            <numerusform>%n messages were deleted. They can be brought back until you close this.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages were moved to the trash.</source>
        <translation>
            <numerusform>%n message was moved to the trash.</numerusform>
            <numerusform>%n messages were moved to the trash.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelSection</name>
    <message numerus="yes">
        <source>%n models at this server: choose one under Name.</source>
        <translation>
            <numerusform>%n model at this server: choose it under Name.</numerusform>
            <numerusform>%n models at this server: choose one under Name.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models found on this computer: choose one under Name.</source>
        <translation>
            <numerusform>%n model found on this computer: choose it under Name.</numerusform>
            <numerusform>%n models found on this computer: choose one under Name.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NoticeController</name>
    <message numerus="yes">
        <source>%n damaged records left where they are. Everything else was read.</source>
        <translation>
            <numerusform>%n damaged record left where it is. Everything else was read.</numerusform>
            <numerusform>%n damaged records left where they are. Everything else was read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n damaged records moved to quarantine in {folder}. Everything else was read.</source>
        <translation>
            <numerusform>%n damaged record moved to quarantine in {folder}. Everything else was read.</numerusform>
            <numerusform>%n damaged records moved to quarantine in {folder}. Everything else was read.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NotificationController</name>
    <message numerus="yes">
        <source>%n answers have arrived.</source>
        <translation>
            <numerusform>%n answer has arrived.</numerusform>
            <numerusform>%n answers have arrived.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals wait for your review.</source>
        <translation>
            <numerusform>%n proposal waits for your review.</numerusform>
            <numerusform>%n proposals wait for your review.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewController</name>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals wait for review</source>
        <translation>
            <numerusform>%n proposal waits for review</numerusform>
            <numerusform>%n proposals wait for review</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals were dropped: nothing is left to decide.</source>
        <translation>
            <numerusform>%n proposal was dropped: nothing is left to decide.</numerusform>
            <numerusform>%n proposals were dropped: nothing is left to decide.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals were moved onto the newer text.</source>
        <translation>
            <numerusform>%n proposal was moved onto the newer text.</numerusform>
            <numerusform>%n proposals were moved onto the newer text.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewDialog</name>
    <message numerus="yes">
        <source>%n proposals were left out: you rejected the same before</source>
        <translation>
            <numerusform>%n proposal was left out: you rejected the same before</numerusform>
            <numerusform>%n proposals were left out: you rejected the same before</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals were left out: you rejected the same before ({when})</source>
        <translation>
            <numerusform>%n proposal was left out: you rejected the same before ({when})</numerusform>
            <numerusform>%n proposals were left out: you rejected the same before ({when})</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchController</name>
    <message numerus="yes">
        <source>Still reading: %n passages can be found so far.</source>
        <translation>
            <numerusform>Still reading: %n passage can be found so far.</numerusform>
            <numerusform>Still reading: %n passages can be found so far.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionDelegate</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionsController</name>
    <message numerus="yes">
        <source>%n conversations stay as they are:</source>
        <translation>
            <numerusform>%n conversation stays as it is:</numerusform>
            <numerusform>%n conversations stay as they are:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations were archived.</source>
        <translation>
            <numerusform>%n conversation was archived.</numerusform>
            <numerusform>%n conversations were archived.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionsPane</name>
    <message numerus="yes">
        <source>Delete %n conversations</source>
        <translation>
            <numerusform>Delete %n conversation</numerusform>
            <numerusform>Delete %n conversations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Export %n conversations…</source>
        <translation>
            <numerusform>Export %n conversation…</numerusform>
            <numerusform>Export %n conversations…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SettingsController</name>
    <message numerus="yes">
        <source>The search by meaning made %n requests whose price is not known; they do not count towards the daily limit.</source>
        <translation>
            <numerusform>The search by meaning made %n request whose price is not known; it does not count towards the daily limit.</numerusform>
            <numerusform>The search by meaning made %n requests whose price is not known; they do not count towards the daily limit.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SuggestionReview</name>
    <message numerus="yes">
        <source>• and %n more reasons</source>
        <translation>
            <numerusform>• and %n more reason</numerusform>
            <numerusform>• and %n more reasons</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SuggestionView</name>
    <message numerus="yes">
        <source>Takes %n lines out of {name}</source>
        <translation>
            <numerusform>Takes %n line out of {name}</numerusform>
            <numerusform>Takes %n lines out of {name}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimeTravelController</name>
    <message numerus="yes">
        <source>%n messages of this conversation came later.</source>
        <translation>
            <numerusform>%n message of this conversation came later.</numerusform>
            <numerusform>%n messages of this conversation came later.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrustWords</name>
    <message numerus="yes">
        <source>%n more settings</source>
        <translation>
            <numerusform>%n more setting</numerusform>
            <numerusform>%n more settings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UpgradePreview</name>
    <message numerus="yes">
        <source>%n entries have no date and get that of the file.</source>
        <translation>
            <numerusform>%n entry has no date and gets that of the file.</numerusform>
            <numerusform>%n entries have no date and get that of the file.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries of HISTORY.md go to memory/history.jsonl, {numbered}; HISTORY.md is kept as {kept}.</source>
        <translation>
            <numerusform>%n entry of HISTORY.md goes to memory/history.jsonl, {numbered}; HISTORY.md is kept as {kept}.</numerusform>
            <numerusform>%n entries of HISTORY.md go to memory/history.jsonl, {numbered}; HISTORY.md is kept as {kept}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries of history.jsonl wait for Dream, which reads in order: the old ones cannot be left out before these are read. To leave them out, cancel, choose Run Dream now in the Memory menu, then come back.</source>
        <translation>
            <numerusform>%n entry of history.jsonl waits for Dream, which reads in order: the old ones cannot be left out before it is read. To leave them out, cancel, choose Run Dream now in the Memory menu, then come back.</numerusform>
            <numerusform>%n entries of history.jsonl wait for Dream, which reads in order: the old ones cannot be left out before these are read. To leave them out, cancel, choose Run Dream now in the Memory menu, then come back.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WaitingChips</name>
    <message numerus="yes">
        <source>%n images</source>
        <translation>
            <numerusform>%n image</numerusform>
            <numerusform>%n images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more wait</source>
        <translation>
            <numerusform>%n more waits</numerusform>
            <numerusform>%n more wait</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WaitingList</name>
    <message numerus="yes">
        <source>%n more follow</source>
        <translation>
            <numerusform>%n more follows</numerusform>
            <numerusform>%n more follow</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WholePrompt</name>
    <message numerus="yes">
        <source>%n images are not there any more: words stand in their place.</source>
        <translation>
            <numerusform>%n image is not there any more: words stand in its place.</numerusform>
            <numerusform>%n images are not there any more: words stand in their place.</numerusform>
        </translation>
    </message>
</context>
</TS>
