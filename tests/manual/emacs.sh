#!/usr/bin/env bash
# The Elisp blocks of docs/editors.md in a batch Emacs. With eglot: diagnostics, an unsaved change, a fix that is applied. With Flycheck, where it is
# installed (Debian: elpa-flycheck), and with Flymake through flake8: the finding of an unsaved buffer.
set -euo pipefail
source "$(dirname "$0")/common.sh"
block elisp 1 > "$work/init.el"
cat > "$work/check.el" <<'EL'
;; -*- lexical-binding: t -*-
(require 'package)
(package-initialize)
(require 'eglot)
(require 'python)
(require 'flymake)
(defun codes ()
  (let (out)
    (dolist (d (flymake-diagnostics))
      (when (string-match "HIL[0-9]+" (flymake-diagnostic-text d)) (push (match-string 0 (flymake-diagnostic-text d)) out)))
    (mapconcat #'identity (sort (delete-dups out) #'string<) " ")))
(defun texts () (mapconcat #'flymake-diagnostic-text (flymake-diagnostics) " | "))
(defun want (what test)
  (let ((until (+ (float-time) 20)))
    (while (and (not (funcall test)) (< (float-time) until))
      (accept-process-output nil 0.05))
    (unless (funcall test)
      (message "FAILED: %s (%s)\n%s" what (texts) (buffer-string))
      (kill-emacs 1))
    (message "ok: %s" what)))
(defun told (word) (lambda () (string-match-p (regexp-quote word) (texts))))
(defun untold (word) (lambda () (not (string-match-p (regexp-quote word) (texts)))))
(setq eglot-sync-connect 20 flymake-no-changes-timeout 0.1 make-backup-files nil create-lockfiles nil)
(find-file "node.py")
(python-mode)
(eglot-ensure)
(run-hooks 'post-command-hook)
(want "the server is attached" (lambda () (and (fboundp 'eglot-current-server) (eglot-current-server))))
(flymake-mode 1)
(want "findings on open" (told "swallows the pause"))
(goto-char (point-min))
(search-forward "except Exception:")
(replace-match "finally:")
(eglot--signal-textDocument/didChange)
(want "findings of the unsaved buffer" (untold "swallows the pause"))
(goto-char (point-min))
(search-forward "finally:")
(replace-match "except Exception:")
(eglot--signal-textDocument/didChange)
(want "and back" (told "swallows the pause"))
(goto-char (point-min))
(search-forward "interrupt(\"")
(let* ((actions (append (jsonrpc-request (eglot-current-server) :textDocument/codeAction
                   (list :textDocument (eglot--TextDocumentIdentifier)
                         :range (list :start (eglot--pos-to-lsp-position) :end (eglot--pos-to-lsp-position))
                         :context '(:diagnostics []))) nil))
       (safe (seq-find (lambda (a) (eq (plist-get a :isPreferred) t)) actions)))
  (want "a safe fix is offered" (lambda () safe))
  (eglot--apply-workspace-edit (plist-get safe :edit)))
(eglot--signal-textDocument/didChange)
(want "it is applied" (lambda () (string-match-p "GraphBubbleUp" (buffer-string))))
(want "and does" (untold "swallows the pause"))
(set-buffer-modified-p nil)
(ignore-errors (eglot-shutdown (eglot-current-server)))
(kill-emacs 0)
EL
cd "$work/project"
timeout 120 "${EMACS:-emacs}" --batch -l "$work/init.el" -l "$work/check.el" 2>&1
for n in 2 3; do
  block elisp $n > "$work/init$n.el"
  cat > "$work/check$n.el" <<EL
;; -*- lexical-binding: t -*-
(require 'package)
(package-initialize)
(require 'python)
(defun flycheck-there () (and (= $n 2) (require 'flycheck nil t)))
(if (and (= $n 2) (not (flycheck-there)))
    (message "skipped: Flycheck is not installed")
  (find-file "node.py")
  (python-mode)
  (goto-char (point-min))
  (insert "# a line more, not saved\n")
  (load "$work/init$n.el")
  (let ((until (+ (float-time) 30)) (found nil))
    (if (= $n 2)
        (progn (setq flycheck-checkers '(python-hitl-lint)) (flycheck-mode 1) (flycheck-buffer))
      (setq python-flymake-command '("$PYTHON" "-m" "flake8" "--select" "HIL" "-"))
      (flymake-mode 1) (flymake-start nil t))
    (while (and (not found) (< (float-time) until))
      (accept-process-output nil 0.05)
      (setq found (if (= $n 2)
                      (seq-find (lambda (e) (and (equal (flycheck-error-id e) "HIL201") (= (flycheck-error-line e) 9))) flycheck-current-errors)
                    (seq-find (lambda (d) (and (string-match-p "HIL201" (flymake-diagnostic-text d)) (= (line-number-at-pos (flymake-diagnostic-beg d)) 9)))
                              (flymake-diagnostics)))))
    (message (if found "ok: %s" "FAILED: %s") (if (= $n 2) "Flycheck" "Flymake"))
    (set-buffer-modified-p nil)
    (kill-emacs (if found 0 1))))
EL
  timeout 120 "${EMACS:-emacs}" --batch -l "$work/check$n.el" 2>&1
done
echo "ok: $("${EMACS:-emacs}" --version | head -n 1)"
