#!/usr/bin/env bash
# The Lua block of docs/editors.md in a headless Neovim: diagnostics, an unsaved change, hover, a fix that is applied. The block for `:make`.
set -euo pipefail
source "$(dirname "$0")/common.sh"
block lua 1 > "$work/init.lua"
block vim 1 > "$work/make.vim"
cat > "$work/check.lua" <<'LUA'
local function want(what, found)
  if not found then
    print('FAILED: ' .. what .. '\n' .. vim.inspect(vim.diagnostic.get(0)) .. '\n' .. table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'))
    vim.cmd('cquit 1')
  end
  print('ok: ' .. what .. '\n')
end
local function codes()
  local out = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do out[#out + 1] = d.code end
  table.sort(out)
  return table.concat(out, ' ')
end
local function soon(expected) return vim.wait(20000, function() return codes() == expected end, 50) end
vim.cmd.edit('node.py')
want('the server is attached', vim.wait(20000, function() return #vim.lsp.get_clients({ bufnr = 0, name = 'hitl_lint' }) == 1 end, 50))
want('findings on open', soon('HIL101 HIL201'))
vim.api.nvim_buf_set_lines(0, 8, 10, false, { '    finally:', '        pass' })
want('findings of the unsaved buffer', soon('HIL101'))
vim.cmd('undo')
want('undo', soon('HIL101 HIL201'))
local swallowed = vim.tbl_filter(function(d) return d.code == 'HIL201' end, vim.diagnostic.get(0))[1]
vim.api.nvim_win_set_cursor(0, { swallowed.lnum + 1, swallowed.col })
local client = vim.lsp.get_clients({ bufnr = 0, name = 'hitl_lint' })[1]
local hover = client:request_sync('textDocument/hover', vim.lsp.util.make_position_params(0, client.offset_encoding), 10000, 0)
want('hover', hover and hover.result and hover.result.contents.value:find('HIL201 interrupt-caught', 1, true))
vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.isPreferred end })
want('the safe fix is applied', vim.wait(20000, function()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'):find('GraphBubbleUp', 1, true) ~= nil end, 50))
want('and does', soon('HIL101'))
vim.cmd('undo | source ' .. vim.env.MAKE_VIM)
vim.cmd('silent make!')
local made = vim.tbl_filter(function(e) return e.valid == 1 and e.text:find('HIL201', 1, true) end, vim.fn.getqflist())
want(':make', #made == 1 and made[1].lnum == 8 and vim.fn.bufname(made[1].bufnr) == 'node.py')
vim.cmd('qall!')
LUA
export MAKE_VIM="$work/make.vim"
cd "$work/project"
timeout 120 "${NVIM:-nvim}" --headless -u "$work/init.lua" -i NONE -S "$work/check.lua" 2>&1
echo "ok: $("${NVIM:-nvim}" --version | head -n 1)"
